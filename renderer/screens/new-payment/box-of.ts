import type { DraftField } from '../../stores/new-payment/draft.ts';

/** A key press in a field; React Aria stops it there unless its propagation is continued. */
export type BoxKey = { key: string; ctrlKey: boolean; metaKey: boolean; continuePropagation(): void };

/** The properties that connect a text box with a field of the draft. */
export type BoxOf = (field: DraftField) => {
  name: string;
  value: string;
  onChange: (text: string) => void;
  onBlur: () => void;
  problem: string | null;
  onKeyDown: (event: BoxKey) => void;
};
