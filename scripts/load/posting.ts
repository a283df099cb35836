import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Posted } from './posting-child.ts';

/**
 * Posts distinct callbacks, signed with `password`, for `milliseconds` over `connections`, from a separate process.
 * `first`: the highest number used before. Rejects if a callback was refused or a connection broke.
 */
export const post = (options: {
  url: string;
  connections: number;
  milliseconds: number;
  password: string;
  first: number;
}): Promise<Posted> => {
  const { url, connections, milliseconds, password, first } = options;
  const words = [url, connections, milliseconds, password, first].map(String);
  const script = join(import.meta.dirname, 'posting-child.ts');
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...words], (error, said) => {
      if (error) return reject(error);
      const posted = JSON.parse(said) as Posted;
      if (posted.refused > 0 || posted.broken > 0)
        return reject(
          new Error(`${posted.refused} callbacks were refused, ${posted.broken} connections broke`),
        );
      resolve(posted);
    });
  });
};
