// Imported dynamically, as a module of its own, for the reason that parser.ts gives.
export { Document, isAlias, isMap, isPair, isScalar, isSeq, parseDocument, YAMLMap } from "yaml";
