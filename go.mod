module pagetouch

go 1.26
