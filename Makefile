# Other names of the commands in bin/; nothing is done here.
.PHONY: run demo test
run:
	bin/run
demo:
	bin/run --demo
test:
	bin/test
