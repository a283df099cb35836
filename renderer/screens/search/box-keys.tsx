import { use, useLayoutEffect } from 'react';
import { FieldInputContext } from 'react-aria-components';
import { searchInput, useSearchBox, type ResultKeys } from '../../stores/search/search-box-store.ts';

/** Names the box as the field of the results, before their effects, which listen to it. */
const connect = (keys: ResultKeys): void => {
  if (keys && 'ref' in keys && keys.ref && typeof keys.ref === 'object') keys.ref.current = searchInput();
};

/**
 * Inside the results: hands what they add to a text field (the keys that move through them, the current one) to the
 * search box, which is drawn with the first screen, before the results are loaded.
 */
export const BoxKeys = () => {
  const keys = use(FieldInputContext);
  useLayoutEffect(() => {
    connect(keys);
    useSearchBox.setState({ keys });
  }, [keys]);
  useLayoutEffect(() => () => useSearchBox.setState({ keys: null }), []);
  return null;
};
