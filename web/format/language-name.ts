/** Name of a subtitle language; sites also use codes of their own, which are returned unchanged. */
export function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' }).of(code) ?? code;
  } catch {
    return code;
  }
}
