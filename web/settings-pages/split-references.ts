interface Names {
  /** “Settings” in the language of the text. */
  settings: string;
  entries: { to: string; label: string }[];
}

export interface TextPart {
  text: string;
  /** Where it leads; absent for plain text. */
  to?: string;
}

/** Splits a text at references to pages (`Settings → Cookie`) and, next to such a reference, at quoted names of fields. */
export function splitReferences(text: string, { settings, entries }: Names): TextPart[] {
  const pages = entries.filter(({ to }) => !to.includes('#')).toSorted((one, other) => other.label.length - one.label.length);
  const arrow = `${settings} → `;
  const references: { at: number; text: string; to: string }[] = [];
  for (let at = text.indexOf(arrow); at !== -1; at = text.indexOf(arrow, at + 1)) {
    const page = pages.find(({ label }) => text.startsWith(label, at + arrow.length));
    if (page) references.push({ at, text: arrow + page.label, to: page.to });
  }
  if (references.length === 0) return [{ text }];
  for (const { index, 1: name } of text.matchAll(/[“„]([^“”„]+)[”“]/g)) {
    const field = entries.find(({ to, label }) => to.includes('#') && label === name);
    if (field) references.push({ at: index + 1, text: name!, to: field.to });
  }
  const parts: TextPart[] = [];
  let end = 0;
  for (const { at, text: name, to } of references.toSorted((one, other) => one.at - other.at)) {
    parts.push({ text: text.slice(end, at) }, { text: name, to });
    end = at + name.length;
  }
  return [...parts, { text: text.slice(end) }].filter((part) => part.text !== '');
}
