// A script of an executable cannot import modules; a file next to them can.
import("./dist/cli.js");
