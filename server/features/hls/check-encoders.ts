import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { encoderName, tryEncoders, usesHardware } from './encoders.ts';

interface EncoderFindings {
  state: 'good' | 'warn' | 'bad';
  findings: Message[];
  remedy: Message | null;
}

/** Tries the encoders, and says for Health which are used, and why others are not. */
export async function checkEncoders(app: AppContext): Promise<EncoderFindings> {
  const trials = await tryEncoders(app);
  const { hwaccel } = app.config;
  const failed = trials.flatMap(({ kind, why }) => (why && kind !== 'software' ? [{ name: encoderName({ kind }), why }] : []));
  const hardware = trials.find(({ kind, encoder }) => encoder && kind !== 'software');
  const withoutSoftware = trials.at(-1)!.why;
  const { pausedUntil, whyPaused } = app.state.videoEncoders!;
  const permission = failed.find(({ why }) => why.id === 'health.encoder-permission');
  const reasons = failed.map(({ name, why }) => message('health.encoder-failed', { name, why }));

  if (hardware && usesHardware(app))
    return {
      state: 'good',
      findings: [message('health.encoder-hardware', { name: encoderName(hardware) }), ...reasons],
      remedy: null,
    };
  if (withoutSoftware)
    return {
      state: 'bad',
      findings: [message('health.no-encoder', { why: withoutSoftware }), ...reasons],
      remedy: message('health.no-encoder-remedy'),
    };
  const findings = [message('health.encoder-software'), ...reasons];
  if (hardware) {
    const paused = { name: encoderName(hardware), until: { at: pausedUntil }, why: whyPaused };
    return {
      state: 'warn',
      findings: [message('health.encoder-paused', paused), ...reasons],
      remedy: message('health.encoder-remedy'),
    };
  }
  const isExpected = hwaccel !== 'auto' && hwaccel !== 'off';
  const help = permission ? message('health.encoder-permission-remedy') : isExpected ? message('health.encoder-remedy') : null;
  return { state: isExpected ? 'warn' : 'good', findings, remedy: help };
}
