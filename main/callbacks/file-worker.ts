import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { FileSetup, FromFileWorker, ToFileWorker } from './file-messages.ts';
import { fileReading, readCallbackFile, type FileReading } from './file-reading.ts';

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

if (parentPort) {
  const port = parentPort;
  const post = (message: FromFileWorker): void => port.postMessage(message);
  const { file, candidates } = workerData as FileSetup;
  const read = await readCallbackFile(file);
  if (read.ok) {
    const reading = fileReading({ name: basename(file), ...read.value }, candidates);
    port.on('message', (message: ToFileWorker) =>
      post({ say: 'answer', id: message.id, value: answer(reading, message) }),
    );
    await reading.run(state => post({ say: 'state', state }));
  } else post({ say: 'refused', error: read.error });
}
