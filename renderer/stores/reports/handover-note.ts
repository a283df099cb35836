import { create } from 'zustand';
import type { DeskError } from '../../../shared/errors.ts';
import type { ShiftNote } from '../../../shared/reports/handover-note.ts';
import { call } from '../../ipc-client.ts';

/** What the next shift has to know, as it was when the note was made. */
type ShiftNoteState = {
  note: ShiftNote | null;
  problem: DeskError | null;
  make: (profileId: string | null) => Promise<void>;
};

let turn = 0;

export const useShiftNote = create<ShiftNoteState>()(set => ({
  note: null,
  problem: null,
  make: async profileId => {
    turn += 1;
    const mine = turn;
    set({ note: null, problem: null });
    const made = await call('payments.shiftNote', { profileId, since: new Date().setHours(0, 0, 0, 0) });
    if (mine !== turn) return;
    if (made.ok) set({ note: made.value });
    else set({ problem: made.error });
  },
}));
