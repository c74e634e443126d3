// Imported dynamically, as a module of its own: a bundle gives a dynamic import of a CommonJS package no named exports.
export { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from "yaml";
