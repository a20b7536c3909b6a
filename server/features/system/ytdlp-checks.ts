import type { Check } from '#contract/health.ts';
import { message, type Message } from '#contract/messages.ts';
import { readPoTokenSettings } from '../../archive/settings/po-tokens.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Tools, YtdlpPart } from '../../platform/context/tools.ts';
import { bad, good, warn, type Found } from './finding.ts';
import { modulesOfParts, proveUsedYtdlp } from './ytdlp-parts.ts';

type Proof = NonNullable<Tools['solver']>;
export type NamedCheck = [name: Check['name'], result: Found | Promise<Found>];

const never = new AbortController().signal;

/** Whether yt-dlp solved the challenges of a player when it was last tried. */
export function challenges({ seconds, failure }: Proof): Found {
  if (seconds !== null) return good(message('health.challenges', { seconds: Math.round(seconds * 10) / 10 }));
  const why = failure?.message ?? message('failure.unknown');
  return { ...bad(message('health.challenges-failed', { why }), message('health.challenges-remedy')), action: 'update' };
}

function runtime({ parts }: Proof): Found {
  if (parts.runtime === null)
    return { ...bad(message('health.no-runtime'), message('health.challenges-remedy')), action: 'update' };
  return good(message('health.runtime', { name: parts.runtime.replace(/^node/, 'Node') }));
}

/** Finding of a part that is missing, with the reason if it could not be installed. */
function missing(tools: Tools, part: YtdlpPart, finding: Message, state: typeof bad | typeof warn): Found {
  const why = tools.missingParts[part];
  const findings = why === undefined ? finding : [finding, message('health.not-installed', { why })];
  return { ...state(findings, message('health.install-remedy')), action: 'install' };
}

/** Which downloads get a PO token. Whether one can be created is tried on request (testPoToken). */
async function tokens(app: AppContext): Promise<Found> {
  const { po_tokens } = await readPoTokenSettings(app);
  const until = app.state.poTokens.neededUntil;
  if (po_tokens === 'auto' && until > app.now()) return good(message('health.tokens-needed', { until: { at: until } }));
  return good(message(`health.tokens-${po_tokens}`));
}

/** Formats that were stored before yt-dlp could check them; no row without any. */
function formats({ state }: AppContext): NamedCheck[] {
  if (state.invalidFormats.length === 0) return [];
  const findings = state.invalidFormats
    .slice(0, 5)
    .map(({ channel, problem }) =>
      channel === null ? message('health.format', { problem }) : message('health.channel-format', { channel, problem }),
    );
  return [['format', bad(findings, message('health.format-remedy'))]];
}

/** Chosen clients of YouTube that an update of yt-dlp removed; no row without any. */
function clients({ state, tools }: AppContext): NamedCheck[] {
  if (state.unknownClients.length === 0 || !tools.ytdlp) return [];
  const unknown = { version: tools.ytdlp.version, clients: state.unknownClients.join(', ') };
  return [['clients', warn(message('health.clients', unknown), message('health.clients-remedy'))]];
}

/** Checks the parts that yt-dlp uses. A version that is too old for a solver has no runtime and none. */
export async function checkParts(app: AppContext): Promise<NamedCheck[]> {
  const { tools } = app;
  if (!tools.ytdlp) return [];
  const solver = tools.solver?.version === tools.ytdlp.version ? tools.solver : await proveUsedYtdlp(app, never);
  const { libraries, python } = solver.parts;
  // Without a list of parts nothing is known of them.
  if (python === null) return [['challenges', challenges(solver)]];
  const versionOf = (part: YtdlpPart) => libraries[modulesOfParts[part]];
  const solverPart = (): Found => {
    const version = versionOf('solver');
    if (version === undefined) return missing(tools, 'solver', message('health.no-solver'), bad);
    if (solver.wantedSolver === null) return good(message('health.solver', { version }));
    return missing(tools, 'solver', message('health.wrong-solver', { version, wanted: solver.wantedSolver }), bad);
  };
  const [aes, impersonation] = [versionOf('aes'), versionOf('impersonation')];
  return [
    ['python', good(message('health.python', { version: python }))],
    ...(tools.ytdlp.hasRuntimes
      ? ([
          ['runtime', runtime(solver)],
          ['solver', solverPart()],
        ] satisfies NamedCheck[])
      : []),
    ['challenges', challenges(solver)],
    ['aes', aes ? good(message('health.aes', { version: aes })) : missing(tools, 'aes', message('health.no-aes'), warn)],
    [
      'impersonation',
      impersonation
        ? good(message('health.impersonation', { version: impersonation }))
        : missing(tools, 'impersonation', message('health.no-impersonation'), warn),
    ],
    ['tokens', tokens(app)],
    ...formats(app),
    ...clients(app),
  ];
}
