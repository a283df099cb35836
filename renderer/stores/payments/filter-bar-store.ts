import { create } from 'zustand';

/** Whether the filters were opened by shortcut; they take the focus once rendered. */
export const useFilterBar = create<{ isFocusRequested: boolean }>(() => ({ isFocusRequested: false }));
