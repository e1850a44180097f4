// In charge of laying out large pictures beside the page, which stays quick meanwhile.

import { type Arrow, type Box, layOut } from './layout.ts';

addEventListener('message', ({ data }: MessageEvent<{ boxes: Box[]; arrows: Arrow[] }>) => {
  postMessage(layOut(data.boxes, data.arrows));
});
