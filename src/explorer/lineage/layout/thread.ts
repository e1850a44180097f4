// Layout of large pictures in a thread, so that the page stays responsive.

import { type Arrow, type Box, layOut } from './layout.ts';

addEventListener('message', ({ data }: MessageEvent<{ boxes: Box[]; arrows: Arrow[] }>) => {
  postMessage(layOut(data.boxes, data.arrows));
});
