/**
 * The notification URL of a webhook: `jsons://host/path?-key=value&secret=SECRET` for `https://host/path?key=value`. Parameters of
 * the address are marked, because unmarked ones are options. Null if the address is no HTTP address.
 */
export function webhookUrl(address: string, secret: string): string | null {
  if (!URL.canParse(address.trim())) return null;
  const url = new URL(address.trim());
  if (!/^https?:$/.test(url.protocol) || url.hostname === '') return null;
  const query = new URLSearchParams([...url.searchParams].map(([key, value]) => [`-${key}`, value]));
  if (secret.trim() !== '') query.set('secret', secret.trim());
  const login = url.username && `${url.username}${url.password && `:${url.password}`}@`;
  const path = url.pathname === '/' ? '' : url.pathname;
  return `${url.protocol === 'https:' ? 'jsons' : 'json'}://${login}${url.host}${path}${query.size > 0 ? `?${String(query).replaceAll('+', '%20')}` : ''}`;
}
