// Names of files and folders that ext4, NTFS and SMB accept.

/** Maximum length of a name on ext4; NTFS allows 255 UTF-16 units, which are never more than the bytes in UTF-8. */
export const maxNameBytes = 255;

export const byteLength = (text: string) => Buffer.byteLength(text, 'utf8');

// Control characters, zero-width characters and marks that change the writing direction.
// eslint-disable-next-line no-control-regex -- they are removed
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** Characters that NTFS and SMB forbid, and what replaces them. */
const replacements: Record<string, string> = {
  '/': '-',
  '\\': '-',
  '|': '-',
  ':': '-',
  '"': "'",
  '<': '(',
  '>': ')',
  '?': '',
  '*': '',
};

/** Returns the value of a field as part of a name: without separators and characters that a file system forbids. */
export const safePart = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(/: /g, ' - ') // a subtitle; others are times
    .replace(invisible, '')
    .replace(/[/\\|:"<>?*]/g, (character) => replacements[character]!)
    .replace(/\s+/g, ' ')
    .trim();

// Device names of Windows, with any extension. The superscript digits count as digits there.
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|\s*$)/i;

/**
 * Words in names for which programs skip a file. Kodi: excludeFromScan in its AdvancedSettings.cpp. Plex: its scanner takes short files for
 * samples (`[-._ ]sample`, `sample[-._ ]`).
 */
const skippedWords: [pattern: RegExp, replacement: string][] = [
  [/(?<![\p{L}\p{N}])(?!(?<=\()[\p{L}\p{N}]+\))(sample[\p{L}\p{N}]*|[\p{L}\p{N}]+sample)(?![\p{L}\p{N}])/giu, '($1)'],
  [/-trailer/gi, ' trailer'],
  [/\.(?=DS_Store|AppleDouble)|@(?=eaDir)/gi, ''],
];

/** Folders that programs skip or take for extras (Kodi, Plex, and NamingOptions.cs and IgnorePatterns.cs of Jellyfin). */
const skippedFolders =
  /^(proof|subs|metadata|samples?|trailers|theme-music|backdrops|extras?|behind the scenes|deleted scenes|interviews?|scenes?|shorts?|featurettes?|clips?|others?|extrafanart|extrathumbs|lost\+found|eadir|#recycle|temprec|tempsbe|plex versions)$/i;

/** Returns a complete name: not empty, not hidden, not reserved, without dots and spaces at its end, and one that no program skips. */
export function safeName(text: string): string {
  const readable = skippedWords.reduce((name, [pattern, replacement]) => name.replace(pattern, replacement), safePart(text));
  const name = readable.replace(/^[.\s]+/, '').replace(/[.\s]+$/, '');
  if (name === '') return '_';
  return reserved.test(name) ? `_${name}` : name;
}

/** Returns the complete name of a folder. */
export function safeFolderName(text: string): string {
  const name = safeName(text).replace(/\.(?=ite$)/i, '-'); // Kodi skips extras of iTunes
  return skippedFolders.test(name) ? `_${name}` : name;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Shortens a text to at most `bytes` bytes of UTF-8, between characters as people see them. */
export function truncateBytes(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text;
  let [end, used] = [0, 0];
  for (const { segment, index } of graphemes.segment(text)) {
    used += byteLength(segment);
    if (used > bytes) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd();
}

/** Shortens a text to at most `count` characters as people see them. */
export function truncateCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const parts = [...graphemes.segment(text)];
  return parts.length <= count ? text : text.slice(0, parts[count]!.index).trimEnd();
}

/** Returns a key that is equal for paths which a case-insensitive file system takes for the same. */
export const pathKey = (path: string) => path.normalize('NFC').toUpperCase().toLowerCase();
