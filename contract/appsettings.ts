import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { settings, type Setting, type Settings } from './settings.ts';
import { flag, integer, text, unlike } from './field-types.ts';

/** An integer setting whose 0 means null. */
const integerOrZero = ({ max }: { max: number }) =>
  integer({ min: 0, max })
    .nullable()
    .transform((number) => number || null)
    .meta({
      sent: { type: ['integer', 'string', 'null'], minimum: 0, maximum: max },
      gives: { type: ['integer', 'null'], minimum: 1, maximum: max },
    });

const invalid = 'Not understood.';
/** What to write instead of an invalid value. */
export const remedies: Partial<Record<string, string>> = {
  audio_languages: 'Use up to four language codes such as de or pt-BR, separated by commas.',
};

const languages = settings.downloads.audio_languages;
/** Languages of sound tracks, as in the setting. */
export const AudioLanguages = text(languages.max).regex(new RegExp(languages.pattern, 'u'), remedies.audio_languages);

/** A text value; an empty string becomes null. */
const textOrNull = (valid: z.ZodType, jsonSchema: object) =>
  z
    .union([z.literal('').transform(() => null), valid, z.null()], unlike('Not a valid string.'))
    .meta({ sent: jsonSchema, gives: jsonSchema });

function valueOf(key: string, setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'switch':
      return flag();
    case 'integer': {
      if (setting.zeroIsEmpty) return integerOrZero(setting);
      return setting.orEmpty ? integer(setting).nullable() : integer(setting);
    }
    case 'choice':
      return setting.orEmpty ? z.enum(setting.of).nullable() : z.enum(setting.of);
    case 'text': {
      const text = z.string().trim().max(setting.max);
      const valid = setting.pattern ? text.regex(new RegExp(setting.pattern, 'u'), remedies[key] ?? invalid) : text;
      return textOrNull(valid, { type: ['string', 'null'], maxLength: setting.max });
    }
    case 'day':
      return textOrNull(z.string().trim().pipe(z.iso.date(invalid)), { type: ['string', 'null'], maxLength: 10 });
  }
}

/** Schema of one section of the settings. Unknown keys are rejected. */
export const section = (keys: Record<string, Setting>) =>
  z.strictObject(Object.fromEntries(Object.entries(keys).map(([key, setting]) => [key, valueOf(key, setting)])));

const sections = Object.entries(settings).map(([name, keys]) => [name, section(keys)] as const);

/** All settings; no key may be missing. */
export const AppSettings = z.strictObject(Object.fromEntries(sections)) as unknown as z.ZodType<Settings, Settings>;

/** Any subset of the settings. */
export const SomeSettings = z.strictObject(
  Object.fromEntries(sections.map(([name, keys]) => [name, keys.partial().optional()])),
) as unknown as z.ZodType<{ [S in keyof Settings]?: Partial<Settings[S]> }, { [S in keyof Settings]?: Partial<Settings[S]> }>;

export const appsettingsCalls = {
  'GET /api/appsettings/config/': { may: 'user', does: 'Get the application settings', reply: AppSettings },
  'POST /api/appsettings/config/': {
    may: 'staff',
    does: 'Update application settings. Lowering `trash.days` requires a session, and the password in `X-Reelkeep-Confirm` if the login is older than ten minutes',
    confirmed: true,
    conflict: 'chapters would be generated although an evaluation has not shown that they are good in this archive',
    strict: true,
    body: SomeSettings,
    reply: AppSettings,
  },
  'GET /api/appsettings/token/': {
    may: 'user',
    does: "Get the caller's API token; the first request creates it, which needs a login within ten minutes or the password in `X-Reelkeep-Confirm`. Of API tokens only this one has access",
    reply: z.object({ token: z.string() }),
  },
  'DELETE /api/appsettings/token/': {
    may: 'user',
    does: "Revoke the caller's API token. Of API tokens only this one has access",
  },
} satisfies Contract;
