const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;', '\r': '&#13;' };

// Characters that XML 1.0 does not allow, not even escaped.
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

// Most texts need no change. Surrogates may be single, which only the regular expression above tells.
const needsChange = /[^\t\n !#-%(-;=?-\ud7ff\ue000-\ufffd]/;
const escapeXml = (text: string) => (needsChange.test(text) ? escapeParts(text) : text);
const escapeParts = (text: string) => text.replace(forbidden, '').replace(/[&<>"'\r]/g, (char) => escapes[char]!);

/** Attributes and content of an element; null, undefined and false are left out. */
type Attributes = Record<string, string | number | null | undefined>;
type Content = Xml | string | number | null | undefined | false | Content[];

/** Serialized XML. Only `xml` creates it, so that every text is escaped. */
class Xml {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type { Xml };

function contentOf(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Xml) return content.text;
  if (typeof content === 'string') return escapeXml(content);
  return typeof content === 'number' ? String(content) : content.map(contentOf).join('');
}

/** Serializes an element. Texts are escaped; characters that XML forbids are removed. */
export function xml(name: string, attributes: Attributes, ...content: Content[]): Xml {
  let start = `<${name}`;
  for (const key in attributes) {
    const value = attributes[key];
    // Parsers turn line breaks in attributes into spaces.
    if (value !== null && value !== undefined) start += ` ${key}="${escapeXml(String(value)).replace(/[\n\t]/g, ' ')}"`;
  }
  let inner = '';
  for (const one of content) inner += contentOf(one);
  return new Xml(inner === '' ? `${start}/>` : `${start}>${inner}</${name}>`);
}

/** An element with only text; nothing if the text is missing. */
export const textElement = (name: string, text: string | number | null | undefined): Xml | null =>
  text === null || text === undefined ? null : xml(name, {}, text);

export const xmlDocument = (root: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`;
