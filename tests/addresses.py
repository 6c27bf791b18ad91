"""Every named address of the project, walked from the resolver."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver


def names(patterns: list[URLPattern | URLResolver] | None = None, namespace: str = "") -> Iterator[str]:
    """Walk every address of the project but the back office, which has its own test."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            if pattern.app_name != "admin":
                inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
                yield from names(pattern.url_patterns, inner)
        else:
            yield f"{namespace}{pattern.name}"


def parameters_of(name: str) -> tuple[str, ...]:
    """Return the parameters of a named address."""
    resolver = get_resolver()
    *spaces, last = name.split(":")
    wanted: tuple[str, ...] = ()
    for space in spaces:
        resolver = resolver.namespace_dict[space][1]
    for possibilities, *_rest in resolver.reverse_dict.getlist(last):
        wanted = tuple(possibilities[0][1])
    return wanted
