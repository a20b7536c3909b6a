import { isMainThread, parentPort, workerData, Worker } from 'node:worker_threads';

// A short-lived thread verifies the signature: openpgp takes 23 MB of memory, which the process gets back when the thread ends.

interface VerifyOptions {
  text: Uint8Array;
  /** A detached signature in binary form. */
  signature: Uint8Array;
  armoredKey: string;
}

async function verify({ text, signature, armoredKey }: VerifyOptions): Promise<void> {
  const openpgp = await import('openpgp');
  const { signatures } = await openpgp.verify({
    message: await openpgp.createMessage({ binary: text }),
    signature: await openpgp.readSignature({ binarySignature: signature }),
    verificationKeys: await openpgp.readKey({ armoredKey }),
    expectSigned: true,
  });
  if (signatures.length === 0) throw new Error('there is no signature');
}

if (!isMainThread && parentPort && (workerData as { verifySignature?: VerifyOptions } | null)?.verifySignature) {
  await verify((workerData as { verifySignature: VerifyOptions }).verifySignature);
  parentPort.postMessage('verified');
}

/**
 * Verifies a detached OpenPGP signature.
 * @throws if the key did not sign exactly this text, or the signature cannot be read
 */
export const verifySignature = (verifySignature: VerifyOptions) =>
  new Promise<void>((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: { verifySignature } });
    thread.once('message', () => resolve());
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread ended without a result.')));
  });
