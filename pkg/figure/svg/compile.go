package svg

// Compile makes ready what the first drawing would have to wait for, for programs that keep a renderer running.
func (r *Renderer) Compile() error {
	_, err := r.program()
	return err
}
