// Imported dynamically, as a module of its own: a bundle gives a dynamic import of a CommonJS package no named exports.
export { LineCounter, parseDocument, visit } from "yaml";
