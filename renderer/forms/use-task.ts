import { useState } from 'react';
import type { AppError, Result } from '../../shared/errors.ts';
import { useMessage } from '../i18n/text.ts';

/**
 * What a form or a panel asks of main, one request at a time: which one is running, and what kept the last one from
 * being done. A request that comes while another one runs is not sent.
 */
export const useTask = <Name extends string = 'send'>() => {
  const say = useMessage();
  const [busy, setBusy] = useState<Name | null>(null);
  const [problem, setProblem] = useState<AppError | null>(null);
  return {
    busy,
    isBusy: busy !== null,
    problem,
    setProblem,
    /** Sends `request`; its value goes to `onDone`. The earlier problem is gone at once. */
    run: async <T>(
      name: Name,
      request: () => Promise<Result<T>>,
      onDone: (value: T) => unknown,
    ): Promise<void> => {
      if (busy !== null) return;
      setBusy(name);
      setProblem(null);
      const answer = await request();
      setBusy(null);
      if (answer.ok) onDone(answer.value);
      else setProblem(answer.error);
    },
    /** Main's problem with a field, by its path. */
    problemOf: (...paths: readonly string[]): string | null => {
      const found = problem?.fields?.find(({ path }) => paths.includes(path));
      return found ? say(found.message) : null;
    },
  };
};
