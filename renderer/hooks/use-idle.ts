import { useEffect, useState } from 'react';

/** False until the window has nothing more urgent to do, for a part that may follow the rest of its screen. */
export const useIdle = (): boolean => {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const idle = requestIdleCallback(() => setIdle(true), { timeout: 1_000 });
    return () => cancelIdleCallback(idle);
  }, []);
  return isIdle;
};
