package main

import "pagetouch/pkg/document"

// licences are those of the libraries that index.html carries.
func licences() []document.Licence { return nil }
