// The files of a project share what they have loaded. A sandbox loads these when it first needs them, also in the
// background. If the file that started it ended meanwhile, loading would fail, for every later file as well.
import "../../src/sandbox/pki/authority.js";
import "../../src/sandbox/pki/make.js";
import "../../src/sandbox/scenarios/compile.js";
import "../../src/sandbox/scenarios/schema.js";
