import { z } from 'zod';
import type { Contract } from './call.ts';
import { settings, type Setting, type Settings } from './settings.ts';
import { flag, integer, unlike } from './values.ts';

const orZero = ({ max }: { max: number }) =>
  integer({ min: 0, max })
    .nullable()
    .transform((number) => number || null)
    .meta({
      sent: { type: ['integer', 'string', 'null'], minimum: 0, maximum: max },
      gives: { type: ['integer', 'null'], minimum: 1, maximum: max },
    });

const notUnderstood = 'Not understood.';

const orNothing = (right: z.ZodType, said: object) =>
  z
    .union([z.literal('').transform(() => null), right, z.null()], unlike('Not a valid string.'))
    .meta({ sent: said, gives: said });

function valueOf(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'switch':
      return flag();
    case 'integer': {
      if (setting.zeroIsEmpty) return orZero(setting);
      return setting.orEmpty ? integer(setting).nullable() : integer(setting);
    }
    case 'choice':
      return setting.orEmpty ? z.enum(setting.of).nullable() : z.enum(setting.of);
    case 'text': {
      const text = z.string().trim().max(setting.max);
      const right = setting.pattern ? text.regex(new RegExp(setting.pattern, 'u'), notUnderstood) : text;
      return orNothing(right, { type: ['string', 'null'], maxLength: setting.max });
    }
    case 'day':
      return orNothing(z.string().trim().pipe(z.iso.date(notUnderstood)), { type: ['string', 'null'], maxLength: 10 });
  }
}

/** Checks some settings of a section; a key that is not of it is refused. */
export const section = (keys: Record<string, Setting>) =>
  z.strictObject(Object.fromEntries(Object.entries(keys).map(([key, setting]) => [key, valueOf(setting)])));

const sections = Object.entries(settings).map(([name, keys]) => [name, section(keys)] as const);

/** All settings, every key there. */
export const AppSettings = z.strictObject(Object.fromEntries(sections)) as unknown as z.ZodType<Settings, Settings>;

/** Any part of the settings. */
export const SomeSettings = z.strictObject(
  Object.fromEntries(sections.map(([name, keys]) => [name, keys.partial().optional()])),
) as unknown as z.ZodType<{ [S in keyof Settings]?: Partial<Settings[S]> }, { [S in keyof Settings]?: Partial<Settings[S]> }>;

export const appsettingsCalls = {
  'GET /api/appsettings/config/': { may: 'user', does: 'The settings of the application', reply: AppSettings },
  'POST /api/appsettings/config/': {
    may: 'staff',
    does: 'Change any of the settings',
    confirmed: true,
    strict: true,
    body: SomeSettings,
    reply: AppSettings,
  },
  'GET /api/appsettings/token/': {
    may: 'user',
    does: "The caller's API token, made at first asking; among tokens only that one itself may",
    reply: z.object({ token: z.string() }),
  },
  'DELETE /api/appsettings/token/': { may: 'user', does: "Revoke the caller's API token; among tokens only that one itself may" },
} satisfies Contract;
