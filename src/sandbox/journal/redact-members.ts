/**
 * The quoted name of a member of JSON with its colon, also in JSON within a text of JSON, where backslashes precede the
 * quotation marks.
 */
const member = /(?<!\\)(\\*)(["'])((?:[\w.$[\] :/-]|\\+u[\da-f]{4}){1,64})\1\2\s*:\s*/gi;

/** An element of XML with its text, also one that is cut off. */
const element = /<([\w:.-]{1,64})((?:\s[^<>]{0,1000})?>)([^<]+)/g;

/** They say that there is no value. */
const noValue = new Set(["null", "true", "false"]);

/**
 * A text without the values of members of JSON and of elements of XML that have the name of a secret. The text may be
 * anything, also JSON that is malformed or cut off: everything else stays as it is. Takes time in proportion to the
 * text.
 */
export function redactMembers(text: string, isSecret: (name: string) => boolean, replacement: string): string {
  const kept: string[] = [];
  let place = 0;
  member.lastIndex = 0;
  for (let found = member.exec(text); found !== null; found = member.exec(text)) {
    const [whole, slashes = "", quote = "", name = ""] = found;
    if (!isSecret(unescaped(name))) continue;
    const start = found.index + whole.length;
    const mark = text.startsWith(slashes, start) ? text.charAt(start + slashes.length) : "";
    const isText = mark === '"' || mark === "'";
    const end = isText ? endOfText(text, start + slashes.length + 1, slashes, mark) : endOfValue(text, start, slashes);
    const value = text.slice(start, end);
    if (value !== "" && !noValue.has(value) && value !== `${slashes}${mark}${slashes}${mark}`) {
      const delimiter = `${slashes}${isText ? mark : quote}`;
      kept.push(text.slice(place, start), delimiter, replacement, delimiter);
      place = end;
    }
    member.lastIndex = Math.max(end, start);
  }
  const json = place === 0 ? text : kept.join("") + text.slice(place);
  return json.includes("<") ? redactElements(json, isSecret, replacement) : json;
}

function redactElements(text: string, isSecret: (name: string) => boolean, replacement: string): string {
  return text.replaceAll(element, (whole, name: string, rest: string, content: string) =>
    isSecret(name) && content.trim() !== "" ? `<${name}${rest}${replacement}` : whole,
  );
}

/** `client\u005fsecret` is `client_secret` (RFC 8259 §7). */
function unescaped(name: string): string {
  return name.replaceAll(/\\+u([\da-f]{4})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The place behind the quotation mark that ends a text; the end of everything if there is none. */
function endOfText(text: string, from: number, slashes: string, quote: string): number {
  let count = 0;
  for (let index = from; index < text.length; index++) {
    const character = text[index];
    if (character === "\\") count += 1;
    else {
      // A backslash that is escaped itself is a pair. In a text within a text, a mark with more of them belongs to the
      // value.
      if (character === quote && (slashes === "" ? count % 2 === 0 : count <= slashes.length)) return index + 1;
      count = 0;
    }
  }
  return text.length;
}

/** The place behind a number, an object or an array; the end of everything if a bracket is not closed. */
function endOfValue(text: string, from: number, slashes: string): number {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    const character = text[index] as string;
    if (character === '"') {
      index = endOfText(text, index + 1, slashes, character) - 1;
    } else if ("{[".includes(character)) depth += 1;
    else if ("}]".includes(character)) {
      if (depth === 0) return index;
      depth -= 1;
      if (depth === 0) return index + 1;
    } else if (depth === 0 && /[\s,]/.test(character)) return index;
  }
  return text.length;
}
