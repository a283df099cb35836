import type { DraftField } from '../../stores/new-payment/drafts.ts';

/** The properties that connect a text box with a field of the draft. */
export type BoxOf = (field: DraftField) => {
  name: string;
  value: string;
  onChange: (text: string) => void;
  onBlur: () => void;
  problem: string | null;
};
