import { message } from '#contract/messages.ts';
import { createHash } from 'node:crypto';
import { titleAndBody, headerText } from './notification.ts';
import { InvalidUrlError, DeliveryError } from './errors.ts';
import { listOf, type NotifyUrl, originOf, isNo } from './parse-url.ts';
import { sendJson, readJson, type Service, sendToEach } from './http-request.ts';
import type { Transport } from '../../platform/egress/direct/transport.ts';

const api = '/_matrix/client/v3';
const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

// `#room`, `!id` or a bare name; the default server is that of the account.
function roomOf(text: string, home: string): string {
  const name = /^[#!]/.test(text) ? text : `#${text}`;
  return name.startsWith('#') && !name.includes(':') ? `${name}:${home}` : name;
}

/** Returns the base URL of the homeserver, by discovery if its address differs from the account's domain. */
async function homeOf(url: NotifyUrl, way: Transport, verify: boolean): Promise<string> {
  const origin = originOf(url);
  if (url.scheme !== 'matrixs' || isNo(url.query.get('discovery'))) return origin;
  const found = await way.ask({ url: `${origin}/.well-known/matrix/client`, method: 'GET', verify }).catch(() => null);
  const server = found?.status === 200 ? (readJson(found)['m.homeserver'] as { base_url?: unknown } | undefined) : undefined;
  const address = typeof server?.base_url === 'string' ? server.base_url.replace(/\/+$/, '') : '';
  return URL.canParse(address) && new URL(address).protocol === 'https:' ? address : origin;
}

/**
 * Matrix: `matrixs://user:password@server/#room/!room-id`, or with a token `matrixs://token@server/#room`; `?msgtype=notice`.
 * Matrix webhooks (`?mode=`) are left to the Apprise program. Retries use the same transaction id and device, so the server
 * ignores duplicates.
 */
export const matrix: Service = (url) => {
  const { user, password, query, host } = url;
  const mode = query.get('mode')?.toLowerCase() || 'off';
  const rooms = [...url.path, ...listOf(query.get('to'))].map((text) => roomOf(text, host));
  if (mode !== 'off' || (!password && rooms.length === 0)) return null;
  if (rooms.length === 0) throw new InvalidUrlError(message('notify.no-room', { scheme: url.scheme }));
  const given = query.get('token') || (password === null ? user : null);
  if (!given && (!user || !password)) throw new InvalidUrlError(message('notify.matrix-login', { scheme: url.scheme }));
  const verify = !isNo(query.get('verify'));
  originOf(url);

  return async (notification, way) => {
    const home = await homeOf(url, way, verify);
    const logIn = async () => {
      const body = {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user },
        password,
        device_id: `REELKEEP${shortHash(url.text).slice(0, 8).toUpperCase()}`,
        initial_device_display_name: 'Reelkeep',
      };
      const { access_token: token } = readJson(await sendJson(way, { url: `${home}${api}/login`, body, verify }));
      if (typeof token !== 'string') throw new DeliveryError(message('notify.matrix-response', { host }));
      return token;
    };
    const headers = { authorization: `Bearer ${headerText(given ?? (await logIn()))}` };
    await sendToEach(rooms, async (room) => {
      const joined = await sendJson(way, { url: `${home}${api}/join/${encodeURIComponent(room)}`, headers, body: {}, verify });
      const { room_id: id } = readJson(joined);
      if (typeof id !== 'string') throw new DeliveryError(message('notify.matrix-response', { host }));
      await sendJson(way, {
        url: `${home}${api}/rooms/${encodeURIComponent(id)}/send/m.room.message/${shortHash(`${notification.id} ${id}`)}`,
        method: 'PUT',
        headers,
        body: { msgtype: query.get('msgtype') === 'notice' ? 'm.notice' : 'm.text', body: titleAndBody(notification) },
        verify,
      });
    });
  };
};
