import { resolve } from "node:path";
import { displayPath } from "../base/files/display-path.js";
import { quote } from "../base/text/printable.js";
import { shownUrl } from "../base/text/user-information.js";
import type { YamlEdit } from "../base/yaml/edit.js";
import { type ImportedDocument, importDocument } from "../imitate/import/import-document.js";
import type { ImportedList } from "../imitate/import/list-importer.js";
import { type Mapping, mappable, parseMapping } from "../imitate/import/mapping.js";
import { validConfigurationFile } from "../sandbox/config/file.js";
import { SettingError } from "../sandbox/config/settings.js";
import { mustBeWritable, openTarget, type Target } from "./configuration-target.js";
import { documentText, listText, notesText, proofText, writtenText } from "./import/report.js";
import type { ImportFlags } from "./options.js";

/**
 * `payments-sandbox import FILE`: writes the lists of an OpenAPI document into a configuration, and reports on standard
 * error what was chosen, what could not be imported, and whether the lists answer as the document says. Exit status 1
 * when nothing was written.
 * @throws SettingError for a flag that cannot be used
 * @throws FileError for a document or a configuration that cannot be used
 */
export async function importFile(file: string, { out, map = [], list = [], force }: ImportFlags): Promise<void> {
  const mappings = map.map(readMapping);
  if (/^https?:/i.test(file))
    throw new SettingError(`Nothing is fetched: save ${quote(shownUrl(file))} to a file, and give the path of that.`);
  if (resolve(file) === resolve(out)) throw new SettingError(`--out ${displayPath(out)} is the document itself.`);
  const target = await openTarget(out);
  await mustBeWritable(out);
  const { present, basePath } = target;
  const isWritten = ({ name }: ImportedList) => force || !present.has(name);
  const editOf = ({ name, template, settings }: ImportedList): YamlEdit => ({
    path: ["lists", name],
    value: settings,
    comment: `Imported from ${displayPath(file)}: GET ${template}`,
  });
  const fits = (lists: readonly ImportedList[]) => target.fits(lists.filter(isWritten).map(editOf));
  const document = await importDocument(file, { mappings, only: list, present, basePath, fits });
  checkUse(document);
  const say = (text: string) => process.stderr.write(text);
  say(documentText(displayPath(file), document));
  const written = document.lists.filter(isWritten);
  for (const each of written) say(listText(each));
  say(notesText(document));
  const kept = document.lists.filter((each) => !written.includes(each)).map(({ name }) => name);
  const edits = written.map(editOf);
  const dates = datesOf(document, target);
  if (written.length > 0 && dates !== undefined)
    edits.push({ path: ["assumptions", "list.dates", "format"], value: dates });
  await target.write(edits);
  say(writtenText(displayPath(out), written, kept, dates));
  if (written.length === 0) process.exitCode = 1;
  else say(proofText(await proofOf(document, out, written)));
}

/** Asks the written lists. The validator is loaded only now: no other command needs it. */
async function proofOf(document: ImportedDocument, out: string, written: readonly ImportedList[]) {
  const { lists, assumptions, settings } = (await validConfigurationFile(resolve(out))).configuration;
  const { proveLists } = await import("../imitate/import/proof.js");
  const configuration = { lists, assumptions, basePath: settings.basePath ?? "" };
  const names = written.map(({ name }) => name);
  return proveLists(document, configuration, names);
}

/** The format of the bounds of dates, if it is not the default and the configuration does not set it. */
function datesOf({ dates }: ImportedDocument, { hasDates, present }: Target): "date" | "both" | undefined {
  if (hasDates || dates === undefined || dates === "date-time") return undefined;
  // The setting is for all lists, and existing lists may use date-times.
  return present.size > 0 ? "both" : dates;
}

function readMapping(text: string): Mapping {
  const mapping = parseMapping(text);
  if (mapping) return mapping;
  throw new SettingError(
    `--map ${quote(text)} is not MEANING=NAME. The meanings are ${mappable.join(", ")}; an empty name means that the document has none.`,
  );
}

/** An option that fits nothing in the document is a mistake of the command line. */
function checkUse({ unusedMappings, unknownPaths }: ImportedDocument): void {
  const [path] = unknownPaths;
  if (path !== undefined)
    throw new SettingError(`--list ${quote(path)}: the document has no GET operation at this path.`);
  const [mapping] = unusedMappings;
  if (mapping) {
    const where = mapping.list === undefined ? "no list" : `no list ${quote(mapping.list)}`;
    throw new SettingError(`--map ${quote(mapping.text)}: ${where} of the document has this name.`);
  }
}
