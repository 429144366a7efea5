package main

import "pagetouch/pkg/document"

// licences are those of the libraries that index.html carries; their full texts come with the packages that npm and the
// foundation publish.
func licences() []document.Licence {
	return []document.Licence{
		{
			Library: "Apache ECharts 6.1.0", Name: "Apache-2.0", Use: "Draws the charts, here and in the static pictures.",
			Text: "Copyright 2017-2026 The Apache Software Foundation. Licensed under the Apache License, Version 2.0;\n" +
				"you may obtain a copy of the License at apache.org/licenses/LICENSE-2.0. Distributed on an \"AS IS\" basis,\n" +
				"without warranties or conditions of any kind, either express or implied.",
		},
		{
			Library: "zrender 6.1.0", Name: "BSD-3-Clause", Use: "The drawing surface under ECharts.",
			Text: "Copyright (c) 2017, Baidu Inc. All rights reserved. Redistribution and use in source and binary forms, with\n" +
				"or without modification, are permitted under the conditions of the 3-clause BSD licence; provided \"as is\"\n" +
				"without any warranty.",
		},
		{
			Library: "tslib 2.3.0", Name: "0BSD", Use: "Helpers of the TypeScript compiler inside the two.",
			Text: "Copyright (c) Microsoft Corporation. Permission to use, copy, modify, and/or distribute this software for\n" +
				"any purpose with or without fee is hereby granted; provided \"as is\" without any warranty.",
		},
	}
}
