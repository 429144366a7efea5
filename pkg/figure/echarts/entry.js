// What the figures use of ECharts, and nothing else. The bundle defines one global, echarts.
import { init, use, version } from "echarts/core";
import { BarChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
  AriaComponent, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent, VisualMapComponent,
} from "echarts/components";
import { SVGRenderer } from "echarts/renderers";

use([
  BarChart, HeatmapChart, LineChart, ScatterChart,
  AriaComponent, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent, VisualMapComponent,
  SVGRenderer,
]);

export { init, version };
