import { createHash } from 'node:crypto';
import { asText, headerText } from './message.ts';
import { BadUrl, NotSent } from './not-sent.ts';
import { listOf, type NotifyUrl, originOf, saysNo } from './parse-url.ts';
import { callJson, readJson, type Service, tellEach } from './tell.ts';
import type { Way } from './way.ts';

const api = '/_matrix/client/v3';
const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

// `#room`, `!id` or a bare name; what names no home is at this one.
function roomOf(said: string, home: string): string {
  const name = /^[#!]/.test(said) ? said : `#${said}`;
  return name.startsWith('#') && !name.includes(':') ? `${name}:${home}` : name;
}

/** Where the server of an account is, when its name is not its address. */
async function homeOf(url: NotifyUrl, way: Way, verify: boolean): Promise<string> {
  const origin = originOf(url);
  if (url.scheme !== 'matrixs' || saysNo(url.query.get('discovery'))) return origin;
  const found = await way.ask({ url: `${origin}/.well-known/matrix/client`, method: 'GET', verify }).catch(() => null);
  const server = found?.status === 200 ? (readJson(found)['m.homeserver'] as { base_url?: unknown } | undefined) : undefined;
  const address = typeof server?.base_url === 'string' ? server.base_url.replace(/\/+$/, '') : '';
  return URL.canParse(address) && new URL(address).protocol === 'https:' ? address : origin;
}

/**
 * Matrix: `matrixs://user:password@server/#room/!room-id`, or with a token `matrixs://token@server/#room`; `?msgtype=notice`.
 * Its webhooks (`?mode=`) are left to the Apprise program. Every attempt carries the same transaction id from the same
 * device, so a server that has a message already takes it once.
 */
export const matrix: Service = (url) => {
  const { user, password, query, host } = url;
  const mode = query.get('mode')?.toLowerCase() || 'off';
  const rooms = [...url.path, ...listOf(query.get('to'))].map((said) => roomOf(said, host));
  if (mode !== 'off' || (!password && rooms.length === 0)) return null;
  if (rooms.length === 0) throw new BadUrl(`${url.scheme}:// names no room.`);
  const given = query.get('token') || (password === null ? user : null);
  if (!given && (!user || !password)) throw new BadUrl(`${url.scheme}:// needs a user and a password, or a token.`);
  const verify = !saysNo(query.get('verify'));
  originOf(url);

  return async (message, way) => {
    const home = await homeOf(url, way, verify);
    const logIn = async () => {
      const body = {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user },
        password,
        device_id: `REELKEEP${shortHash(url.text).slice(0, 8).toUpperCase()}`,
        initial_device_display_name: 'Reelkeep',
      };
      const { access_token: token } = readJson(await callJson(way, { url: `${home}${api}/login`, body, verify }));
      if (typeof token !== 'string') throw new NotSent(`${host} did not answer as a Matrix server does.`);
      return token;
    };
    const headers = { authorization: `Bearer ${headerText(given ?? (await logIn()))}` };
    await tellEach(rooms, async (room) => {
      const joined = await callJson(way, { url: `${home}${api}/join/${encodeURIComponent(room)}`, headers, body: {}, verify });
      const { room_id: id } = readJson(joined);
      if (typeof id !== 'string') throw new NotSent(`${host} did not answer as a Matrix server does.`);
      await callJson(way, {
        url: `${home}${api}/rooms/${encodeURIComponent(id)}/send/m.room.message/${shortHash(`${message.id} ${id}`)}`,
        method: 'PUT',
        headers,
        body: { msgtype: query.get('msgtype') === 'notice' ? 'm.notice' : 'm.text', body: asText(message) },
        verify,
      });
    });
  };
};
