import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { NewPassword } from './users.ts';
import { flag, integer, VideoKind } from './field-types.ts';

const ViewStyle = z.enum(['grid', 'list', 'table']);

/** Settings of a user. */
export const UserConfig = z.object({
  stylesheet: z.string().regex(/^(system|dark|light|matrix|midnight|custom)(\.css)?$/, {
    error: ({ input }) => `${JSON.stringify(input).slice(0, 100)} is not a valid choice.`,
  }),
  page_size: integer({ min: 1, max: 1000 }),
  sort_by: z.enum(['published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height', 'title']),
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
  /** Not in TubeArchivist: sections of the home page in order: `continue`, `subscriptions`, `shorts`, `unavailable`, or `list:ID` for a smart list. */
  home_sections: z
    .array(z.string().regex(/^(continue|subscriptions|shorts|unavailable|list:[1-9]\d{0,14})$/))
    .max(30)
    .refine((sections) => new Set(sections).size === sections.length, 'A section may be chosen once.'),
  /** Not in TubeArchivist: whose titles and thumbnails the web app shows; `community`: those of DeArrow, where there are any. */
  titles: z.enum(['original', 'community']),
  thumbnails: z.enum(['original', 'community']),
  /** Not in TubeArchivist: custom CSS, applied if `stylesheet` is `custom`. */
  custom_css: z
    .string()
    .max(20_000)
    .regex(/^[^\0]*$/, 'Not a valid string.')
    .nullable(),
});
export type UserConfig = z.output<typeof UserConfig>;

/** Defaults of the user settings. */
export const userDefaults: UserConfig = {
  stylesheet: 'system.css',
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
  home_sections: ['continue'],
  titles: 'original',
  thumbnails: 'original',
  custom_css: null,
};

/** Settings of a new account that differ from the defaults, which accounts of earlier versions keep. */
export const newUserConfig: Partial<UserConfig> = {
  home_sections: ['unavailable', 'continue', 'subscriptions', 'shorts'],
};

export const Account = z.object({
  id: z.int(),
  name: z.string(),
  is_superuser: z.boolean(),
  is_staff: z.boolean(),
  groups: z.array(z.int()),
  user_permissions: z.array(z.int()),
  last_login: z.string().nullable(),
  /** Not in TubeArchivist: may share with people without an account. */
  may_share: z.boolean(),
  /** Not in TubeArchivist: may request transcripts of videos without captions. */
  may_transcribe: z.boolean(),
  /** Not in TubeArchivist: library views and media servers may use the watch states. */
  shares_watch_state: z.boolean(),
  /** Not in TubeArchivist: address of the archive for other devices, without a slash at the end. */
  address: z.string(),
});
export type Account = z.infer<typeof Account>;

/** Login methods. Not in TubeArchivist. */
export const LoginMethods = z.object({
  password: z.boolean(),
  /** Label of the OpenID button; null without a provider. */
  oidc: z.string().nullable(),
  /** Logout URL of the authenticating proxy; null without such a proxy, or if unknown. */
  logout_url: z.string().nullable(),
  /** Only one account exists, and it never logged in: its first password may be lost. */
  awaits_first_login: z.boolean(),
});

/** Limits above which a deletion must be confirmed. Not in TubeArchivist. */
export const Confirmation = z.object({
  /** Required confirmation: the password, or the number of videos for users without a password. */
  by: z.enum(['password', 'number']),
  /** Confirmation is required above this number of videos or bytes. */
  videos: z.int(),
  media_size: z.int(),
});
export type Confirmation = z.infer<typeof Confirmation>;

/** Path to redirect to after the login. Anything but a path of this site becomes `/`. */
const OwnPath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[^\\\s]*$/)
  .catch('/')
  .default('/');

/** Why an OpenID login failed; `why` in the query of the login page. Not in TubeArchivist. */
export type LoginProblem =
  | 'provider-away'
  | 'expired'
  | 'not-recent'
  | 'disabled'
  | 'other-person'
  | 'linked-elsewhere'
  | 'name-taken'
  | 'bad-name'
  | 'failed';

export const userCalls = {
  'POST /api/user/login/': {
    may: 'anyone',
    does: 'Log in; sets the session and CSRF cookies. A generated password is rejected with `must_choose_password` (Reelkeep) unless `new_password` (Reelkeep) is sent, which replaces it',
    body: z.object({
      username: z.string().min(1, 'This field may not be blank.').max(150),
      password: z.string().min(1, 'This field may not be blank.').max(1000),
      remember_me: z.enum(['on', 'off']).default('off'),
      new_password: NewPassword.optional(),
    }),
    refusal: z.object({ must_choose_password: z.literal(true) }),
  },
  'GET /api/user/login-methods/': { may: 'anyone', does: 'List the login methods (Reelkeep)', reply: LoginMethods },
  'GET /api/user/oidc/': {
    may: 'anyone',
    does: 'Redirect to the OpenID provider for a login (Reelkeep)',
    query: z.object({ next: OwnPath }),
    redirects: true,
  },
  'GET /api/user/oidc/reauthenticate/': {
    may: 'user',
    bySession: true,
    does: 'Redirect to the OpenID provider for reauthentication as the same user (Reelkeep)',
    query: z.object({ next: OwnPath }),
    redirects: true,
  },
  'POST /api/user/oidc/link/': {
    may: 'user',
    bySession: true,
    proven: true,
    does: 'Create a URL that links the account with a login at the OpenID provider (Reelkeep)',
    body: z.object({ next: OwnPath }),
    reply: z.object({ address: z.string() }),
  },
  'GET /api/user/oidc/callback/': {
    may: 'anyone',
    does: 'Complete a login at the OpenID provider (Reelkeep)',
    redirects: true,
  },
  'POST /api/user/logout/': { may: 'user', does: 'Log out of this session' },
  'POST /api/user/password/': {
    may: 'user',
    bySession: true,
    does: "Change the caller's password, if they have one in Reelkeep. Ends all of their other sessions, and with `end_access` their API tokens, podcast feeds, share links and signed links (Reelkeep)",
    body: z.object({
      current: z.string().min(1, 'This field may not be blank.').max(1000),
      next: NewPassword,
      end_access: flag().default(true),
    }),
  },
  'GET /api/user/confirm/': {
    may: 'staff',
    does: 'Get the size above which deletions must be confirmed in `X-Reelkeep-Confirm`, and the kind of confirmation (Reelkeep)',
    reply: Confirmation,
  },
  'GET /api/user/account/': { may: 'user', does: "Get the caller's account", reply: Account },
  'POST /api/user/watch-sharing/': {
    may: 'user',
    bySession: true,
    does: "Allow or forbid library views and media servers to use the caller's watch states (Reelkeep)",
    body: z.object({ shares_watch_state: flag() }),
  },
  'GET /api/user/me/': { may: 'user', does: "Get the caller's settings", reply: UserConfig },
  'POST /api/user/me/': {
    may: 'user',
    does: "Update the caller's settings",
    body: UserConfig.partial(),
    reply: UserConfig,
  },
} satisfies Contract;
