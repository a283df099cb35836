import { basename } from 'node:path';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { ok } from '../../shared/result.ts';
import { decodeBytes } from './forms/text.ts';
import type { FilePart, FileSetup, FromFileWorker, ToFileWorker } from './file-messages.ts';
import { fileReading, readCallbackFile, type FileReading, type FileText } from './file-reading.ts';

/** The thread on which a file of callbacks is read and held; it ends when it is told nothing more. */

const answer = (reading: FileReading, message: ToFileWorker): unknown => {
  switch (message.ask) {
    case 'rows':
      return reading.rows(...message.with);
    case 'one':
      return reading.one(...message.with);
    case 'batch':
      return reading.batch(...message.with);
  }
};

/** Gathers the parts of a file that is handed over; resolves when all of its bytes are here. */
const gather = (port: MessagePort, bytes: number): Promise<FileText> =>
  new Promise(resolve => {
    const whole = Buffer.alloc(bytes);
    let at = 0;
    const take = ({ part }: FilePart): void => {
      at += Buffer.from(part).copy(whole, at);
      if (at < bytes) return;
      port.off('message', take);
      resolve({ bytes, ...decodeBytes(whole) });
    };
    port.on('message', take);
  });

if (parentPort) {
  const port = parentPort;
  const post = (message: FromFileWorker): void => port.postMessage(message);
  const { source, candidates } = workerData as FileSetup;
  const read = 'file' in source ? await readCallbackFile(source.file) : ok(await gather(port, source.bytes));
  if (read.ok) {
    const name = 'file' in source ? basename(source.file) : source.name;
    const reading = fileReading({ name, ...read.value }, candidates);
    port.on('message', (message: ToFileWorker) =>
      post({ say: 'answer', id: message.id, value: answer(reading, message) }),
    );
    await reading.run(state => post({ say: 'state', state }));
  } else post({ say: 'refused', error: read.error });
}
