// The YAML library behind one static import: a bundler keeps the names of a CommonJS package only there. Loaded when a file is read.
export { LineCounter, parseDocument } from "yaml";
