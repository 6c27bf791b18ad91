"""The addresses of this machine on its local networks, for phones and for the list of allowed hosts."""

import fcntl
import socket
import struct

SIOCGIFADDR = 0x8915
INNER = ("lo", "docker", "br-", "veth", "virbr")  # nobody in the room reaches these


def lan_addresses() -> list[str]:
    """Return the IPv4 addresses of the network cards, without those of containers and of the machine to itself."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            if name.startswith(INNER):
                continue
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)
            except OSError:
                continue  # a card without an address
            found.append(socket.inet_ntoa(answer[20:24]))
    return sorted(set(found))


def own_hosts() -> list[str]:
    """Return every name under which a browser in the room may ask for this machine."""
    name = socket.gethostname()
    return ["localhost", "127.0.0.1", "[::1]", name, f"{name}.local", *lan_addresses()]
