import type { MediaServerTest } from '#contract/media-server.ts';
import { message, type Message, type MessageId } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { withClient, type MediaServerClient, type ServerAccess } from './client.ts';
import { kindNames, MediaServerError, type Kind } from './connection.ts';
import { overlaps } from './paths.ts';
import { accessTo, mappingsOf, recordFailure, recordSuccess, type ServerRow } from './store.ts';

/** Returns the kind of a server that does not respond as expected; null if it is none of them. */
async function findKind(app: AppContext, access: ServerAccess): Promise<Kind | null> {
  for (const kind of (Object.keys(kindNames) as Kind[]).filter((one) => one !== access.kind)) {
    const isThisKind = await withClient(app, { ...access, kind, token: 'none' }, (client) => client.identify()).then(
      () => true,
      // Recognized by what needs no token. Kodi needs its password for everything.
      (error: unknown) => kind !== 'kodi' && error instanceof MediaServerError && error.failure === 'token',
    );
    if (isThisKind) return kind;
  }
  return null;
}

async function identify(app: AppContext, access: ServerAccess, client: MediaServerClient) {
  try {
    return await client.identify();
  } catch (error) {
    const otherIds: MessageId[] = ['media-server.invalid-response', 'media-server.not-found'];
    const isOther = error instanceof MediaServerError && error.messages.some(({ id }) => otherIds.includes(id));
    const found = isOther ? await findKind(app, access) : null;
    if (!found) throw error;
    const names = { found: kindNames[found], kind: kindNames[access.kind] };
    throw new MediaServerError(message('media-server.other-kind', names), 'unavailable');
  }
}

const resultOf = (problem: Message[] | null, found: Partial<MediaServerTest>): MediaServerTest => ({
  success: problem === null,
  problem: problem && renderMessages(problem),
  problem_messages: problem,
  server_name: null,
  version: null,
  libraries: [],
  users: [],
  ...found,
});

/** Tests a server, and records the result. */
export async function testServer(app: AppContext, row: ServerRow): Promise<MediaServerTest> {
  const mappings = mappingsOf(row);
  try {
    const found = await (async () => {
      const access = accessTo(app, row);
      return withClient(app, access, async (client) => {
        const { name, version } = await identify(app, access, client);
        const libraries = (await client.libraries()).map(({ name: title, folders }) => ({
          name: title,
          folders,
          matches: folders.some((folder) => mappings.some(({ to }) => overlaps(folder, to))),
        }));
        return { server_name: name, version, libraries, users: await client.users() };
      });
    })();
    await recordSuccess(app.db, row.number, 'test');
    const folders = { list: mappings.map(({ to }) => message('text', { text: to })) };
    const isMapped = found.libraries.some(({ matches }) => matches);
    return resultOf(isMapped ? null : [message('media-server.no-library', { folders })], found);
  } catch (error) {
    if (!(error instanceof MediaServerError)) throw error;
    await recordFailure(app, row.number, 'test', error);
    return resultOf(error.messages, {});
  } finally {
    app.announce('media-server');
  }
}
