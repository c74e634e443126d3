// A module of its own, for dynamic imports: in a bundle, a dynamic import of a CommonJS package has no named exports.
export { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from "yaml";
