import { z } from 'zod';
import type { Contract } from './call.ts';
import { NewPassword } from './people.ts';
import { flag, integer, VideoKind } from './values.ts';

const ViewStyle = z.enum(['grid', 'list', 'table']);

/** What a person chose for themselves. */
export const UserConfig = z.object({
  stylesheet: z.string().regex(/^(dark|light|matrix|midnight|custom)(\.css)?$/, {
    error: ({ input }) => `${JSON.stringify(input).slice(0, 100)} is not a valid choice.`,
  }),
  page_size: integer({ min: 1, max: 1000 }),
  sort_by: z.enum(['published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height']),
  sort_order: z.enum(['asc', 'desc']),
  view_style_home: ViewStyle,
  view_style_channel: ViewStyle,
  view_style_downloads: ViewStyle,
  view_style_playlist: ViewStyle,
  vid_type_filter: VideoKind.nullable(),
  grid_items: integer({ min: 3, max: 7 }),
  hide_watched: flag().nullable(),
  hide_watched_channel: flag().nullable(),
  hide_watched_playlist: flag().nullable(),
  file_size_unit: z.enum(['binary', 'metric']),
  show_ignored_only: flag(),
  show_subed_only: flag().nullable(),
  show_subed_only_playlists: flag().nullable(),
  show_help_text: flag(),
  /** Ours: CSS over everything, shown while the stylesheet is `custom`. */
  custom_css: z
    .string()
    .max(20_000)
    .regex(/^[^\0]*$/, 'Not a valid string.')
    .nullable(),
});
export type UserConfig = z.output<typeof UserConfig>;

/** What holds until a person chooses. */
export const userDefaults: UserConfig = {
  stylesheet: 'dark.css',
  page_size: 12,
  sort_by: 'published',
  sort_order: 'desc',
  view_style_home: 'grid',
  view_style_channel: 'list',
  view_style_downloads: 'list',
  view_style_playlist: 'grid',
  vid_type_filter: null,
  grid_items: 3,
  hide_watched: false,
  hide_watched_channel: null,
  hide_watched_playlist: null,
  file_size_unit: 'binary',
  show_ignored_only: false,
  show_subed_only: null,
  show_subed_only_playlists: null,
  show_help_text: true,
  custom_css: null,
};

export const Account = z.object({
  id: z.int(),
  name: z.string(),
  is_superuser: z.boolean(),
  is_staff: z.boolean(),
  groups: z.array(z.int()),
  user_permissions: z.array(z.int()),
  last_login: z.string().nullable(),
});
export type Account = z.infer<typeof Account>;

/** Ours: what a page for logging in shows. */
export const WaysIn = z.object({
  password: z.boolean(),
  /** What the button for the OpenID provider says; null when there is none. */
  oidc: z.string().nullable(),
  /** Where a proxy that says who is logged in logs people out; null when that is not known, or not so. */
  logout_url: z.string().nullable(),
});

/** Ours: what somebody must send along to delete more than this at once. */
export const Confirmation = z.object({
  /** Their password, or the number of videos where they have none here. */
  by: z.enum(['password', 'number']),
  /** More than so many, or more than so many bytes. */
  videos: z.int(),
  media_size: z.int(),
});
export type Confirmation = z.infer<typeof Confirmation>;

/** A page of ours to go on with; anything else is the first one. */
const OwnPath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[^\\\s]*$/)
  .catch('/')
  .default('/');

export const userCalls = {
  'POST /api/user/login/': {
    may: 'anyone',
    does: 'Log in: sets the session and CSRF cookies. Ours: a password that was made for somebody is refused with `must_choose_password`, and lets them in together with `new_password`, which takes its place',
    body: z.object({
      username: z.string().min(1, 'This field may not be blank.').max(150),
      password: z.string().min(1, 'This field may not be blank.').max(1000),
      remember_me: z.enum(['on', 'off']).default('off'),
      new_password: NewPassword.optional(),
    }),
    refusal: z.object({ must_choose_password: z.literal(true) }),
  },
  'GET /api/user/ways/': { may: 'anyone', does: 'In which ways people log in here', reply: WaysIn },
  'GET /api/user/oidc/': {
    may: 'anyone',
    does: 'Go to the OpenID provider to log in there',
    query: z.object({ next: OwnPath }),
    redirects: true,
  },
  'GET /api/user/oidc/again/': {
    may: 'user',
    bySession: true,
    does: 'Go to the OpenID provider to log in there again, as the same person, though one is logged in there',
    query: z.object({ next: OwnPath }),
    redirects: true,
  },
  'POST /api/user/oidc/link/': {
    may: 'user',
    bySession: true,
    proven: true,
    does: 'Where to go to log in at the OpenID provider, and to this account from there from then on',
    body: z.object({ next: OwnPath }),
    reply: z.object({ address: z.string() }),
  },
  'GET /api/user/oidc/callback/': {
    may: 'anyone',
    does: 'Where the OpenID provider sends people back to',
    redirects: true,
  },
  'POST /api/user/logout/': { may: 'user', does: 'End this session' },
  'POST /api/user/password/': {
    may: 'user',
    bySession: true,
    does: "Change the caller's own password, where it is kept here; every other session of theirs ends",
    body: z.object({
      current: z.string().min(1, 'This field may not be blank.').max(1000),
      next: NewPassword,
    }),
  },
  'GET /api/user/confirm/': {
    may: 'staff',
    does: 'Ours: from which size on a deletion must be confirmed in the header `X-Reelkeep-Confirm`, and with what',
    reply: Confirmation,
  },
  'GET /api/user/account/': { may: 'user', does: 'Who the caller is', reply: Account },
  'GET /api/user/me/': { may: 'user', does: "The caller's own settings", reply: UserConfig },
  'POST /api/user/me/': {
    may: 'user',
    does: "Change any of the caller's own settings",
    body: UserConfig.partial(),
    reply: UserConfig,
  },
} satisfies Contract;
