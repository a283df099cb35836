/** A clock time in its one form, on screens, papers and in messages: 09:05. */
export const clockParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
