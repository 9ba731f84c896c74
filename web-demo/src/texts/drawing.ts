// Texts of drawings of graphs.
import { texts } from './texts.js';

export const drawingTexts = texts({
  en: {
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    whole: 'Whole graph',
    collapse: 'Collapse repeated blocks',
    hint: 'Drag to move. Zoom with the buttons, or with the wheel while Ctrl is down or the drawing has the focus. Keys: arrows, + and −, 0 for the whole graph; Shift and arrows go from node to node.',
  },
  zh: {
    zoomIn: '放大',
    zoomOut: '缩小',
    whole: '全图',
    collapse: '折叠重复的块',
    hint: '拖动可移动。用按钮缩放，或按住 Ctrl（或图获得焦点时）用滚轮缩放。按键：方向键、+ 和 −，0 显示全图；Shift 加方向键在节点之间移动。',
  },
});
