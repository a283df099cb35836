import { fail, ok, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { isPin, type StoredPin } from './pin.ts';

/** Wrong attempts before a delay, and the first delay, milliseconds; each further one doubles it. */
const freeTries = 5;
const firstWaitMs = 30_000;
const maxWaitMs = 3_600_000;

/** Wrong PINs in a row, and the delay after the last one, milliseconds. */
export type CountedAttempts = { wrong: number; waitMs: number };

type PinHolder = CountedAttempts & { id: string; name: string; pin: StoredPin | null };

/** `person`: whose PIN was asked for. It is recorded under this name; see main/app/requests/apply-rules.ts. */
export const wrongPin = (person: string): { ok: false } & ReturnType<typeof fail> => {
  const message = msg('error.agent.wrong-pin');
  return fail('agent.wrong-pin', message, { fields: [{ path: 'pin', message }], details: { person } });
};

export const tooManyTries = (seconds: number): ReturnType<typeof fail> =>
  fail('agent.wait', msg('agents.wait', { seconds }), { details: { seconds } });

/** Counts wrong PINs, across restarts too. `elapsed`: monotonic time, milliseconds. */
export const createPinAttempts = ({
  elapsed,
  read,
  write,
}: {
  elapsed: () => number;
  read: (id: string) => CountedAttempts | undefined;
  write: (id: string, counted: CountedAttempts) => void;
}) => {
  /** The end of each delay, by `elapsed`. A delay from an earlier run starts again in full. */
  const waitsEnd = new Map<string, number>();
  const waitLeft = ({ id, waitMs }: Pick<PinHolder, 'id' | 'waitMs'>): number => {
    const end = waitsEnd.get(id) ?? elapsed() + Math.min(waitMs, maxWaitMs);
    waitsEnd.set(id, end);
    return end - elapsed();
  };
  return {
    /** Starts the delay that is left from an earlier run. */
    remember: (holder: Pick<PinHolder, 'id' | 'waitMs'>): void => void waitLeft(holder),
    /** Whether this is the person's PIN. Errors: `agent.wait`, `agent.wrong-pin`. */
    admit: async (holder: PinHolder, pin: string | null): Promise<Result<undefined>> => {
      if (holder.pin === null) return ok(undefined);
      const left = waitLeft(holder);
      if (left > 0) return tooManyTries(Math.ceil(left / 1000));
      if (pin !== null && (await isPin(pin, holder.pin))) {
        waitsEnd.delete(holder.id);
        write(holder.id, { wrong: 0, waitMs: 0 });
        return ok(undefined);
      }
      const wrong = (read(holder.id)?.wrong ?? holder.wrong) + (pin === null ? 0 : 1);
      const waitMs = wrong < freeTries ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (wrong - freeTries));
      waitsEnd.set(holder.id, elapsed() + waitMs);
      write(holder.id, { wrong, waitMs });
      return wrongPin(holder.name);
    },
  };
};
