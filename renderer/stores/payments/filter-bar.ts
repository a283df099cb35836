import { create } from 'zustand';

/** Whether somebody asked for the filters by key; they take the focus as soon as they are there. */
export const useFilterBar = create<{ asked: boolean }>(() => ({ asked: false }));
