// A module of its own, for the same reason as parser.ts.
export { Document, isAlias, isMap, isPair, isScalar, isSeq, parseDocument, YAMLMap } from "yaml";
