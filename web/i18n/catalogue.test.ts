import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { expect, test } from 'vitest';
import { messages } from '#contract/messages.ts';

const [catalogue] = await getCatalogs(getConfig());
const sourceTexts = Object.entries((await catalogue!.collect()) ?? {});

/** Returns the names of all placeholders of a text, at any depth. */
function placeholdersOf(message: string): string[] {
  const names = new Set<string>();
  const visit = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens) {
      if (!Array.isArray(token)) continue;
      const [name, , forms] = token as [string, string?, Record<string, unknown>?];
      names.add(name);
      if (forms && typeof forms === 'object') Object.values(forms).forEach(visit);
    }
  };
  visit(compileMessage(message));
  return [...names].sort();
}

// Names. Everything else is in sentence case.
const titleCase = [
  'GNU Affero General Public License',
  'Host header',
  'Model Context Protocol',
  'OpenID Connect',
  'Return YouTube Dislike',
];
const names =
  /\b(Alt|Apprise|Cast|Chromium|Cloudflare|DeArrow|Deutsch|Discord|Emby|English|Enter|FreeTube|Ganymede|German|GiB|Google|Gotify|Invidious|JavaScript|Jane Doe|Jellyfin|KiB|Kodi|LibreTube|Markdown|Matrix|MeTube|Netscape|NewPipe|Node|OpenID|Pinchflat|Plex|PostgreSQL|Pushover|Python|Reelkeep|Slack|SponsorBlock|Sunday|Takeout|Telegram|TikTok|TubeArchivist|TubeSync|Vimeo|Whisper|Youtarr|YouTube)\b/g;
// Pages and their sections are named as they are titled: “in Settings → Health”, “Add to Up next”.
const pageNames = /\b(Settings|Health|Downloads|Transcripts|Database|Up next|(?:Playlists|Channels) page)\b/g;

/** Words in upper case that do not start a sentence, a quotation or a plural form. */
function capitalizedWords(text: string): string[] {
  const rest = [...titleCase].reduce((shorter, label) => shorter.replaceAll(label, ''), text);
  const sentences = rest
    .replaceAll(names, '')
    .replaceAll(pageNames, '')
    .split(/[.:?!·]\s+|[“"({]\S?|[→–] |\} /);
  return sentences.flatMap((sentence) => sentence.trim().split(/\s+/).slice(1)).filter((word) => /^[A-Z][a-z]/.test(word));
}

test('English texts are in sentence case, with real plurals', async () => {
  // The API keeps the names of tasks and some errors of TubeArchivist.
  const texts = sourceTexts
    .filter(([id]) => !/^task\.|^error\.(csrf|no-schedule$)/.test(id))
    .map(([id, { message }]) => message ?? id);
  expect(capitalizedWords('Media Options')).toEqual(['Options']);
  expect(texts.filter((text) => capitalizedWords(text).length > 0)).toEqual([]);
  expect(texts.filter((text) => text.includes('(s)'))).toEqual([]);
});

// Errors that the API shares with TubeArchivist start in lower case; the web app shows them in upper case.
test('messages of the server start in upper case', () => {
  const lowerCase = Object.entries(messages).filter(
    ([id, text]) =>
      /^[a-z]/.test(text) &&
      !/^(?:yt-dlp|ffmpeg|pg_dump|pycryptodomex|curl_cffi|tgram)/.test(text) &&
      !/^(?:error|secret|trash)\./.test(id),
  );
  expect(lowerCase).toEqual([]);
});

test('every text has a German translation with the same placeholders, and no translation is unused', async () => {
  const german = new Map(Object.entries((await catalogue!.read('de')) ?? {}));
  expect(sourceTexts.length).toBeGreaterThan(500);
  const missing = sourceTexts.filter(([id]) => !german.get(id)?.translation).map(([, { message }]) => message);
  expect(missing, 'run `npm run i18n:extract`, and write them in web/locales/de.po').toEqual([]);
  expect(
    [...german.keys()].filter((id) => !sourceTexts.some(([other]) => other === id)),
    'run `npm run i18n:extract`',
  ).toEqual([]);
  for (const [id, { message }] of sourceTexts)
    expect(placeholdersOf(german.get(id)!.translation!), `“${message}” in German`).toEqual(placeholdersOf(message!));
});
