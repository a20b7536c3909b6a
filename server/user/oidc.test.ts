import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashPassword } from './password.ts';
import { aBrowser, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { aProvider, base64, strangeKey } from '../testing-provider.ts';

describe.each(engines)('logging in at an OpenID provider, on $engine', (on) => {
  let there: Awaited<ReturnType<typeof aProvider>>;
  let t: TestArchive;
  beforeEach(async () => {
    there = await aProvider();
    t = await testArchive({
      on,
      env: { REELKEEP_OIDC_ISSUER: there.issuer, REELKEEP_OIDC_STAFF_GROUP: 'keepers', REELKEEP_TRUSTED_PROXIES: '127.0.0.1' },
    });
  });
  afterEach(async () => {
    await t.close();
    await there.close();
  });

  const cookiesOf = (answer: { cookies: { name: string; value: string }[] }) =>
    answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const leave = (path = '/api/user/oidc/', headers: Record<string, string> = {}) => t.app.inject({ url: path, headers });
  /** The whole way: there, agreeing, and back, with whatever a test changes of it. */
  async function goThrough({
    path = '/api/user/oidc/',
    headers = {} as Record<string, string>,
    begin = () => leave(path, headers),
    back = (query: object): object => query,
    by = (address: string) => address,
    cookie = '',
  } = {}) {
    const left = await begin();
    const to = (left.headers.location as string | undefined) ?? (left.json() as { address: string }).address;
    const query = back(there.agree(by(to))) as Record<string, string>;
    const kept = [cookie || cookiesOf(left), headers.cookie].filter(Boolean).join('; ');
    return t.app.inject({ url: `/api/user/oidc/callback/?${new URLSearchParams(query)}`, headers: { cookie: kept } });
  }
  const whoIs = async (answer: Awaited<ReturnType<typeof goThrough>>) =>
    (await t.app.inject({ url: '/api/user/account/', headers: { cookie: cookiesOf(answer) } })).json();
  const why = (answer: { headers: Record<string, unknown> }) =>
    new URL(String(answer.headers.location), 'http://x').searchParams.get('why');

  test('behind an https proxy and below a path the provider sends them back there', async () => {
    const headers = {
      host: 'films.example.org',
      'x-forwarded-host': 'films.example.org',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/tube',
    };
    const left = await leave('/api/user/oidc/?next=/video/abc', headers);
    const to = left.headers.location as string;
    const back = 'https://films.example.org/tube/api/user/oidc/callback/';
    expect(new URL(to).searchParams.get('redirect_uri')).toBe(back);
    const guarded = { httpOnly: true, sameSite: 'Lax', secure: true, path: '/tube/api/user/oidc/' };
    expect(left.cookies).toEqual([expect.objectContaining({ name: 'oidc', ...guarded })]);
    const url = `/api/user/oidc/callback/?${new URLSearchParams(there.agree(to))}`;
    const answer = await t.app.inject({ url, headers: { ...headers, cookie: cookiesOf(left) } });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/tube/video/abc']);
    expect(answer.cookies.find(({ name }) => name === 'sessionid')).toMatchObject({ path: '/tube', secure: true });
    expect(there.sentBack).toEqual([back]);
    expect((await whoIs(answer)).name).toBe('maria');
  });

  test('people come back logged in, to the page they wanted, as the same person every time', async () => {
    const left = await leave('/api/user/oidc/?next=/video/abc');
    const asked = new URL(left.headers.location as string).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'reelkeep',
      code_challenge_method: 'S256',
      response_type: 'code',
    });
    const first = await goThrough({ path: '/api/user/oidc/?next=/video/abc' });
    expect([first.statusCode, first.headers.location]).toEqual([302, '/video/abc']);
    expect(JSON.stringify(first.headers) + first.body).not.toContain(base64({ alg: 'RS256', kid: 'k' })); // tokens stay here
    const maria = await whoIs(first);
    expect(maria).toMatchObject({ name: 'maria', is_staff: false });
    there.provider.person = { sub: 'sub-1', preferred_username: 'maria-who-married' };
    expect((await whoIs(await goThrough())).id).toBe(maria.id);
    there.provider.person = { sub: 'sub-2', preferred_username: 'another' };
    expect((await whoIs(await goThrough())).id).not.toBe(maria.id);
    expect((await t.app.inject({ url: '/api/user/ways/' })).json()).toMatchObject({ password: true, oidc: 'single sign-on' });
  });

  test('the group there says who is staff, and says so anew each time', async () => {
    there.provider.person.groups = ['readers', 'keepers'];
    expect((await whoIs(await goThrough())).is_staff).toBe(true);
    there.provider.tellsLater = true;
    expect((await whoIs(await goThrough())).is_staff).toBe(true);
    there.provider.person.groups = ['readers'];
    expect((await whoIs(await goThrough())).is_staff).toBe(false);
  });

  test('who deletes very much has no password here, and says how many videos they are', async () => {
    there.provider.person.groups = ['keepers'];
    const entered = await goThrough();
    const { call } = aBrowser(t.app, Object.fromEntries(entered.cookies.map(({ name, value }) => [name, value])));
    const id = await aVideo(t.archive.db, { sizeBytes: 200e9 });
    const remove = (confirm?: string) => call('DELETE', `/api/video/${id}/`, undefined, confirm);
    expect((await remove()).json().confirm).toMatchObject({ by: 'number', videos: 1 });
    expect((await remove('2')).statusCode).toBe(400);
    expect((await remove('1')).statusCode).toBe(204);
  });

  test('who has no password here is told where theirs is changed; given one, they change that', async () => {
    const { call } = browserOf(await goThrough());
    const change = async () => {
      const answer = await call('POST', '/api/user/password/', { current: 'our own', next: 'quite other words' });
      return [answer.statusCode, answer.statusCode === 204 ? null : answer.json().error];
    };
    expect(await change()).toEqual([
      400,
      'You have no password here: you log in at the OpenID provider. Change the one that you use there.',
    ]);
    await t.archive.db
      .updateTable('account')
      .set({ passwordHash: await hashPassword('our own') })
      .execute();
    expect(await change()).toEqual([204, null]);
  });

  test('an account of the same name is not theirs, until whoever has it says so', async () => {
    const maria = await aUser(t, { name: 'Maria', isStaff: true });
    const refused = await goThrough();
    expect(why(refused)).toMatch(/There is an account called maria already/);
    expect(refused.cookies.map(({ name }) => name)).not.toContain('sessionid');
    const link = (who: typeof maria) =>
      goThrough({ begin: () => who.call('POST', '/api/user/oidc/link/', { next: '/settings/user/' }), headers: who.headers });
    const linked = await link(maria);
    expect(linked.headers.location).toBe('/settings/user/');
    expect((await whoIs(await goThrough())).id).toBe(maria.id);
    expect(why(await link(await aUser(t)))).toMatch(/another account/);
  });

  test('a page elsewhere logs nobody in unasked, and links nobody', async () => {
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { referer: 'http://evil.example/' },
      { 'sec-fetch-site': 'cross-site', host: 'nas:8000', referer: 'http://nas:8000/' },
    ];
    const maria = await aUser(t);
    const link = (headers: object) =>
      t.app.inject({ method: 'POST', url: '/api/user/oidc/link/', headers: { cookie: maria.headers.cookie, ...headers } });
    for (const headers of foreign) {
      const answer = await leave('/api/user/oidc/?next=/video/abc', headers as Record<string, string>);
      expect(answer.headers.location).toBe('/login/?next=%2Fvideo%2Fabc'); // where one clicks
      expect(answer.cookies).toEqual([]);
      expect((await link(headers)).statusCode).toBe(403);
    }
    expect((await leave('/api/user/oidc/', { 'sec-fetch-site': 'none' })).headers.location).toContain('/authorize');
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/ok and more'])(
    'nobody is sent on to %s',
    async (next) => {
      const answer = await goThrough({ path: `/api/user/oidc/?next=${encodeURIComponent(next)}` });
      expect(answer.headers.location).toBe('/');
    },
  );

  test.each<[string, () => Promise<{ headers: Record<string, unknown>; cookies: { name: string }[] }>]>([
    ['another state', () => goThrough({ back: (query) => ({ ...query, state: 'guessed' }) })],
    ['no state', () => goThrough({ back: (query) => ({ code: (query as { code: string }).code }) })],
    ['a code that was never given', () => goThrough({ back: (query) => ({ ...query, code: 'guessed' }) })],
    [
      'an error of the provider',
      () => goThrough({ back: (query) => ({ state: (query as { state: string }).state, error: 'access_denied' }) }),
    ],
    ['no cookie', () => goThrough({ cookie: 'other=1' })],
    ['a cookie written by somebody else', () => goThrough({ cookie: `oidc=${base64({ state: 'x' })}` })],
    ['another nonce', () => ((there.provider.claims = (claims) => ({ ...claims, nonce: 'other' })), goThrough())],
    ['another issuer', () => ((there.provider.claims = (claims) => ({ ...claims, iss: 'https://evil.example' })), goThrough())],
    ['another audience', () => ((there.provider.claims = (claims) => ({ ...claims, aud: 'other' })), goThrough())],
    ['a token that ran out', () => ((there.provider.claims = (claims) => ({ ...claims, exp: 1 })), goThrough())],
    ['no signature', () => ((there.provider.isUnsigned = true), goThrough())],
    ['no subject', () => ((there.provider.claims = (claims) => ({ ...claims, sub: undefined })), goThrough())],
  ])('with %s nobody is let in', async (_what, go) => {
    const answer = await go();
    expect(why(answer)).toBeTruthy();
    expect(answer.cookies.map(({ name }) => name)).not.toContain('sessionid');
    expect(await t.archive.db.selectFrom('session').selectAll().execute()).toEqual([]);
  });

  test('a signature of another key lets nobody in', async () => {
    await goThrough();
    there.provider.key = strangeKey;
    there.provider.person = { sub: 'sub-9', preferred_username: 'somebody new' };
    const answer = await goThrough();
    expect(await t.archive.db.selectFrom('identity').select('subject').where('subject', '=', 'sub-9').execute()).toEqual([]);
    expect(why(answer)).toBeTruthy();
  });

  const browserOf = (answer: Awaited<ReturnType<typeof goThrough>>) =>
    aBrowser(t.app, Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value])));
  type Browser = ReturnType<typeof browserOf>;
  const make = async ({ call }: Browser) => {
    const answer = await call('POST', '/api/user/tokens/', { name: 'Kodi' });
    return answer.statusCode === 200 ? 'made' : (answer.json() as { prove: { by: string } }).prove.by;
  };
  const again = ({ headers }: Browser, wish: Parameters<typeof goThrough>[0] = {}) =>
    goThrough({ path: '/api/user/oidc/again/?next=/logged-in/', headers, ...wish });

  test('who was logged in there long ago logs in there again before changing what lets people in', async () => {
    const maria = browserOf(await goThrough());
    expect(await make(maria)).toBe('login');
    const left = await leave('/api/user/oidc/again/', maria.headers);
    expect(Object.fromEntries(new URL(left.headers.location as string).searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '60',
    });
    const back = await again(maria);
    expect(back.headers.location).toBe('/logged-in/');
    expect(await make(browserOf(back))).toBe('made');
    expect((await maria.call('GET', '/api/ping/')).statusCode).toBe(403); // the session of before has ended
    there.provider.loggedInSeconds = 30;
    expect(await make(browserOf(await goThrough()))).toBe('made'); // as the provider says of itself
  });

  test('coming back without having been asked there proves nothing, and neither does another person', async () => {
    const maria = browserOf(await goThrough());
    const unasked = await again(maria, { by: (address) => address.replace('prompt=login', 'prompt=none') });
    expect(why(unasked)).toMatch(/does not say that you logged in there just now/);
    there.provider.loggedInSeconds = null;
    expect(why(await again(maria))).toMatch(/does not say/);
    there.provider.loggedInSeconds = 7200;
    there.provider.person = { sub: 'sub-2', preferred_username: 'another' };
    const another = await again(maria);
    expect(why(another)).toMatch(/as somebody else/);
    for (const answer of [unasked, another]) expect(answer.cookies.map(({ name }) => name)).not.toContain('sessionid');
    expect(await t.archive.db.selectFrom('account').select('name').execute()).toEqual([{ name: 'maria' }]);
    expect(await make(maria)).toBe('login');
  });

  test('linking an account asks for its password, after a while', async () => {
    const ben = await aUser(t, { name: 'Ben', password: 'words of Ben' });
    await t.archive.db.updateTable('session').set({ provedAt: 1 }).execute();
    const link = (confirm?: string) => ben.call('POST', '/api/user/oidc/link/', { next: '/' }, confirm);
    expect((await link()).json().prove).toEqual({ by: 'password' });
    expect((await link('guess')).json()).toEqual({ error: 'That is not your present password.', prove: { by: 'password' } });
    expect((await link('words of Ben')).json().address).toContain('/authorize');
    await there.close();
    expect((await link('words of Ben')).statusCode).toBe(200); // what is known of it is remembered
  });

  test('a way that was begun cannot be walked twice', async () => {
    const left = await leave();
    const query = new URLSearchParams(there.agree(left.headers.location as string));
    const come = () => t.app.inject({ url: `/api/user/oidc/callback/?${query}`, headers: { cookie: cookiesOf(left) } });
    expect((await come()).headers.location).toBe('/');
    expect(why(await come())).toBeTruthy();
  });

  test('a provider that says it is another one is not gone to', async () => {
    there.provider.isAnother = true;
    expect(why(await leave())).toMatch(/cannot be reached just now/);
    there.provider.isAnother = false;
    expect((await leave()).headers.location).toContain('/authorize');
  });

  test('a provider that is away is said so, and asked again the next time', async () => {
    await there.close();
    expect(why(await leave())).toMatch(/cannot be reached just now/);
  });
});

test('without a provider there is nothing of it', async () => {
  const t = await testArchive();
  expect((await t.app.inject({ url: '/api/user/oidc/' })).statusCode).toBe(404);
  expect((await t.app.inject({ url: '/api/user/ways/' })).json()).toEqual({ password: true, oidc: null, logout_url: null });
  await t.close();
});
