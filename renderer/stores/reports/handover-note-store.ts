import { create } from 'zustand';
import { dayAt, startOf } from '../../../shared/days.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { HandoverNote } from '../../../shared/reports/handover-note.ts';
import { request } from '../../ipc-client.ts';
import { currentTime } from '../../i18n/time-left.ts';

/** The handover note, as of its creation. */
type HandoverNoteState = {
  note: HandoverNote | null;
  problem: AppError | null;
  make: (profileId: string | null) => Promise<void>;
};

let latestRequest = 0;

export const useHandoverNote = create<HandoverNoteState>()(set => ({
  note: null,
  problem: null,
  make: async profileId => {
    latestRequest += 1;
    const requestNumber = latestRequest;
    set({ note: null, problem: null });
    const made = await request('payments.handoverNote', {
      profileId,
      since: startOf(dayAt(currentTime())),
    });
    if (requestNumber !== latestRequest) return;
    if (made.ok) set({ note: made.value });
    else set({ problem: made.error });
  },
}));
