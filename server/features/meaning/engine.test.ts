import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Meaning } from '#contract/meaning.ts';
import { writeSettings } from '../../archive/settings/store.ts';
import { createUser, testApp, type TestApp } from '../../test-support/app.ts';
import { addEarlierEngine, expectUnknownPackagesRefused, installEngine } from '../../test-support/engine-install.ts';
import { meaningPackages } from './packages.ts';

const { REELKEEP_TEST_MEANING_PYTHON: python } = process.env;
const api = '/api/meaning/';
const folder = 'meaning-engine';

describe('the model of the search by meaning', () => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp();
    staff = await createUser(t, { isStaff: true });
    await writeSettings(t.app.db, { meaning: { enabled: true } });
    await t.runner.begin();
  });
  afterEach(() => t.close());
  const engine = async () => (await staff.call('GET', api)).json<Meaning>().engine;

  test('of another checksum or without a package is not installed, and the reason is told', async () => {
    const [{ name, version }] = meaningPackages['use-m3'];
    const wheel = `${name.replaceAll('-', '_')}-${version}-py3-none-any.whl`;
    await expectUnknownPackagesRefused({ t, staff }, { api, folder, wheel });
  });

  test('is not installed on one of several servers, which would not know of each other’s', async () => {
    Object.assign(t.app.config, { node: 'one' });
    const response = await staff.call('POST', `${api}engine/`, { action: 'install' });
    const why = /^With several servers, set REELKEEP_MODELS and REELKEEP_MODELS_PYTHON on each of them/;
    expect([response.statusCode, response.json().error]).toEqual([409, expect.stringMatching(why)]);
    expect((await staff.call('GET', api)).json<Meaning>().problem).toMatch(why);
  });

  test.runIf(python)('is installed, and can be updated and rolled back while questions are asked', async () => {
    expect(await installEngine(staff, api)).toMatchObject({ status: 'SUCCESS' });
    const { version } = await engine();
    expect(version).toBe(meaningPackages['use-m3'][0].version);
    await addEarlierEngine(t, folder);
    const ask = async (place: number) => {
      const { statusCode, json } = await staff.call('GET', `/api/search/moments/?mode=meaning&query=bread+number+${place}`);
      expect(statusCode).toBe(200);
      return json<{ notices: { id: string }[] }>().notices.map(({ id }) => id);
    };
    const questions = Array.from({ length: 6 }, (_, place) => ask(place));
    expect((await staff.call('POST', `${api}engine/`, { action: 'rollback' })).statusCode).toBe(200);
    expect(await engine()).toMatchObject({ version: '1.0.0', has_update: true });
    const more = Array.from({ length: 3 }, (_, place) => ask(10 + place));
    expect(await installEngine(staff, api)).toMatchObject({ status: 'SUCCESS' });
    for (const notices of await Promise.all([...questions, ...more]))
      expect(['search.meaning-nothing', 'search.meaning-late']).toContain(notices[0]);
    expect(await ask(20)).toEqual(['search.meaning-nothing']);
  });
});
