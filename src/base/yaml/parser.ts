// A module of its own, for dynamic imports: in a bundle, a dynamic import of a CommonJS package has no named exports.
export {
  Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  parseDocument,
  YAMLMap,
} from "yaml";
